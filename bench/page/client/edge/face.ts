/** In place of reports/figures/face.ts: widths of the page's font, once it is loaded, by a canvas. */
import type { Face, faceOf as ofFiles } from "../../../../reports/figures/face.js";
import { FONT_FAMILY } from "../../../../reports/figures/family.js";

const SIZE = 100;
const faces = new Map<string, Face>();

export const faceOf: typeof ofFiles = (weight) => {
  const face = faces.get(weight) ?? measuredFace(weight === "bold" ? "bold" : "normal");
  faces.set(weight, face);
  return face;
};

function measuredFace(weight: "bold" | "normal"): Face {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  if (!context) return { missing: 0.5, width: () => undefined };
  context.font = `${weight} ${SIZE}px ${FONT_FAMILY}`;
  const widths = new Map<number, number>();
  return {
    missing: 0.5,
    width(codePoint) {
      const width = widths.get(codePoint) ?? context.measureText(String.fromCodePoint(codePoint)).width / SIZE;
      widths.set(codePoint, width);
      return width;
    },
  };
}
