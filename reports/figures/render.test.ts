import { Resvg } from "@resvg/resvg-js";
import { describe, expect, test } from "vitest";
import { FONT_FILES } from "./face.js";
import { livePage, POLICY } from "./html.js";
import { html } from "./markup.js";
import { PNG_ZOOM, renderSvg, svgToPng } from "./render.js";
import { experiment, specOf, threeRows } from "./testing.js";
import { textWidth, wrapText } from "./text.js";

const rows = threeRows({ lo: 95, hi: 205 });
const spec = specOf(experiment(), rows);

/** Width and height out of a PNG's header. */
function pngSize(png: Buffer): [number, number] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

describe("PNG", () => {
  test("has the SVG's size times the zoom", async () => {
    const svg = await renderSvg(spec);
    const [, width, height] = /^<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
    expect(pngSize(svgToPng(svg))).toEqual([Number(width) * PNG_ZOOM, Number(height) * PNG_ZOOM]);
  });

  test("is not blank, and its texts are drawn with the shipped font", async () => {
    const svg = await renderSvg(spec);
    const blank = svgToPng(svg.replace(/<g[\s\S]*<\/g>/, ""));
    const textless = svgToPng(svg.replace(/<text[\s\S]*?<\/text>/g, ""));
    const whole = svgToPng(svg);
    expect(textless.length).toBeGreaterThan(2 * blank.length);
    expect(whole.length).toBeGreaterThan(1.5 * textless.length);
  });

  test("is the same for the same rows, whatever was drawn before", async () => {
    const draw = async (): Promise<Buffer> => svgToPng(await renderSvg(specOf(experiment(), rows)));
    const first = await draw();
    await renderSvg(specOf(experiment({}, { kind: "bar" }), rows));
    expect((await draw()).equals(first)).toBe(true);
  });
});

test("texts are measured in the shipped font, as resvg draws them", () => {
  const text = "Throughput (G op/s) against 2²⁰ pairs: µ ± 0.5 %";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><text font-family="Arimo" font-size="20">${text}</text></svg>`;
  const font = { loadSystemFonts: false, fontFiles: [...FONT_FILES] };
  const drawn = new Resvg(svg, { font }).getBBox()?.width ?? 0;
  expect(textWidth(text, 20) / drawn).toBeCloseTo(1, 1);
  expect(textWidth("iii", 12)).toBeLessThan(textWidth("mmm", 12));
  expect(textWidth("abc", 12, true)).toBeGreaterThan(textWidth("abc", 12));
});

test("lines are broken at spaces, and inside a word that is too long", () => {
  expect(wrapText("one two three", textWidth("one two", 10), 10)).toEqual(["one two", "three"]);
  expect(wrapText("abcabc", textWidth("abc", 10), 10)).toEqual(["abc", "abc"]);
});

describe("HTML", () => {
  const pageOf = (title: string, live: Parameters<typeof livePage>[0]["figures"]) =>
    livePage({ title, style: "", body: html``, figures: live });

  test("needs nothing from outside: no address but XML namespaces, no linked file", () => {
    const page = pageOf("A <test>", [{ id: "x", spec: specOf(experiment(), rows, { interactive: true }) }]);
    const addresses = page.match(/https?:\/\/[^\s"'`)<>]*/g) ?? [];
    expect(addresses.filter((a) => !a.startsWith("http://www.w3.org/"))).toEqual([]);
    expect(page).not.toMatch(/<(?:link|script[^>]* src|img|iframe)\b/i);
    expect(page).toContain("<title>A &#60;test&#62;</title>");
  });

  test("has vega once for all its figures, and data that cannot end the script", () => {
    const figure = { id: "x", spec: specOf(experiment({ title: "</script><b>" }), rows) };
    const one = pageOf("t", [figure]);
    const two = pageOf("t", [figure, { ...figure, id: "y" }]);
    expect(one.match(/<\/script>/g)).toHaveLength(2);
    expect(two.length - one.length).toBeLessThan(100_000);
  });

  test("has no text become code", () => {
    expect(POLICY).not.toContain("unsafe-eval");
  });
});
