/** For SVG and HTML: the shipped font, then fonts of the same widths. */
export const FONT_FAMILY = "Arimo, Liberation Sans, Arial, Helvetica, sans-serif";
