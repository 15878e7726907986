/** What a figure is written as. Apart from what draws figures, which takes a third of a second to load. */
export const FORMATS = ["svg", "png", "html"] as const;
export type Format = (typeof FORMATS)[number];
