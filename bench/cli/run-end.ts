/** The last lines of `hashbench run`: what there is now, what to open, what to try next. */
import { join, relative } from "node:path";
import { type Seconds, SOFTWARE_NUMBERS } from "../run/run.js";

export interface RunEnd {
  readonly out: string;
  readonly seconds: Seconds;
  readonly software: boolean;
  /** Files of figures, of all formats. */
  readonly figures: readonly string[];
  /** No ids were given. */
  readonly tour: boolean;
}

/** `folder`: of the reader, to whom paths below it are short. */
export function endLines({ out, seconds, software, figures, tour }: RunEnd, folder = process.cwd()): string[] {
  const near = (path: string): string => {
    const short = relative(folder, path);
    return short === "" || short.startsWith("..") ? path : short;
  };
  const page = figures.find((file) => file.endsWith(".html"));
  const pictures = figures.filter((file) => file.endsWith(".png")).length;
  return [
    ...(software ? [`numbers: ${SOFTWARE_NUMBERS}`] : []),
    `results: ${near(out)}`,
    `time:    ${timeLine(seconds)}`,
    ...(pictures > 0 ? [`figures: ${pictures} as PNG and SVG in ${near(join(out, "figures"))}`] : []),
    ...(page ? [`open:    ${near(page)} (all figures, in a browser)`] : []),
    ...next(near(out), tour).map(
      ([command, what], i) => `${i === 0 ? "next:   " : "        "} ${command.padEnd(40)} ${what}`,
    ),
  ];
}

function next(out: string, tour: boolean): (readonly [command: string, what: string])[] {
  if (!tour) return [[`hashbench report ${out} --out report`, "scorecard of the papers' claims, and the figures"]];
  return [
    ["hashbench run tables/load-factor --quick", "all tables by load factor: which one for you"],
    ["hashbench run gph --quick", "all figures of a paper"],
    ["hashbench list", "experiments, tables, data sets, devices"],
  ];
}

/** `12.3 s (prepare 4.1, sample 3.0)`: the phases that took a tenth of a second at least. */
function timeLine({ all, workers }: Seconds): string {
  const parts = Object.entries(workers).filter(([, seconds]) => seconds >= 0.1);
  const phases = parts.map(([phase, seconds]) => `${phase} ${seconds.toFixed(1)}`).join(", ");
  return `${all.toFixed(1)} s${phases && ` (${phases})`}`;
}
