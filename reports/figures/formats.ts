/** What a figure is written as. Apart from what draws figures, which takes a third of a second to load. */
export const FORMATS = ["svg", "png", "html"] as const;
export type Format = (typeof FORMATS)[number];

/** What a report is written as: one page, or Markdown with its figures as SVG. */
export const REPORT_FORMATS = ["html", "markdown"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
