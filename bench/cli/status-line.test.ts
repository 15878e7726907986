import { expect, test } from "vitest";
import { barLine, StatusLine, stepsOn } from "./status-line.js";

function terminal(columns: number) {
  const written: string[] = [];
  const stream = { isTTY: true, columns, write: (text: string) => written.push(text) };
  return { stream: stream as unknown as NodeJS.WriteStream, written };
}

test.each([80, 120])("a bar takes what the name and the counts leave of %i columns", (width) => {
  const line = barLine({ name: "gph/fig10", nameWidth: 30, share: 0.5, rest: "1/2 cells" }, width);
  expect(line).toHaveLength(width);
  expect(line).toMatch(/^gph\/fig10 {22}█+░+ 1\/2 cells$/);
  expect(Math.abs((line.match(/█/g)?.length ?? 0) - (line.match(/░/g)?.length ?? 0))).toBeLessThanOrEqual(1);
});

test("a long name is cut, so that the bar keeps ten columns", () => {
  const line = barLine({ name: "x".repeat(200), nameWidth: 200, share: 0, rest: "0/2" }, 79);
  expect(line).toMatch(/^x+… ░{10} 0\/2$/);
  expect(line).toHaveLength(79);
});

test("what is printed stands above the line, which is drawn again", () => {
  const { stream, written } = terminal(22);
  const status = new StatusLine(stream);
  status.show(() => "working on a thing that is long");
  status.print("a note");
  status.clear();
  status.print("last");
  expect(written).toEqual([
    "\r\x1b[Kworking on a thing…",
    "\r\x1b[Ka note\nworking on a thing…",
    "\r\x1b[K",
    "\r\x1b[Klast\n",
  ]);
});

test("steps are shown on a terminal, unless they are not wanted", async () => {
  const [shown, quiet] = [terminal(60), terminal(60)];
  for (const [{ stream }, silent] of [[shown, false] as const, [quiet, true] as const]) {
    const { step, ended } = stepsOn(stream, silent);
    await step("gph/fig10", 3, 10);
    ended();
  }
  expect(shown.written).toEqual([expect.stringMatching(/gph\/fig10 .*░ 3\/10$/), "\r\x1b[K"]);
  expect(quiet.written).toEqual([]);
});
