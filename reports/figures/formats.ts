/** Formats of a figure. They stand apart from the code that draws figures, which is slow to load. */
export const FORMATS = ["svg", "png", "html"] as const;
export type Format = (typeof FORMATS)[number];

/** Formats of a report: one page, or Markdown with its figures as SVG. */
export const REPORT_FORMATS = ["html", "markdown"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
