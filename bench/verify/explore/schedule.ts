/**
 * Schedules as text, to be repeated: `1x3,2,2f@0.4,0.6` is three steps of actor 1, one of 2, and one of 2 whose compare-exchange fails. A
 * step ends before an access of one of the words after `@`: words 4 and 6 of the first variable.
 */
import { UsageError } from "../../../kernels/device/errors.js";
import type { Schedule } from "./exploring.js";
import type { Option } from "./machine.js";

/** Dispatches are separated by slashes. */
export function textOfSchedule(schedule: Schedule): string {
  return schedule
    .map(({ steps, shared }) => `${textOfSteps(steps)}@${shared.map((one) => one.join(".")).join()}`)
    .join("/");
}

function textOfSteps(steps: readonly Option[]): string {
  const texts = steps.map(({ actor, fails, back }) => `${actor}${fails ? "f" : ""}${back > 0 ? `b${back}` : ""}`);
  const runs: { readonly text: string; times: number }[] = [];
  for (const text of texts) {
    const last = runs.at(-1);
    if (last?.text === text) last.times += 1;
    else runs.push({ text, times: 1 });
  }
  return runs.map(({ text, times }) => (times > 1 ? `${text}x${times}` : text)).join(",");
}

/** Throws a UsageError for what is no schedule. */
export function scheduleOf(text: string): Schedule {
  return text.split("/").map((dispatch) => {
    const [steps = "", shared = ""] = dispatch.split("@");
    const words = shared.matchAll(/(-?\d+)\.(\d+)/g);
    return {
      steps: steps === "" ? [] : steps.split(",").flatMap(stepsOf),
      shared: [...words].map(([, memory, at]) => [Number(memory), Number(at)] as const),
    };
  });
}

function stepsOf(text: string): Option[] {
  const [, actor, fails, back, times = "1"] = /^(\d+)(f)?(?:b(\d+))?(?:x(\d+))?$/.exec(text) ?? [];
  if (!actor) throw new UsageError(`--replay: ${text} is no step; one is such as 2, 2f, 2b1 or 2x5`);
  const step = { actor: Number(actor), fails: fails !== undefined, back: Number(back ?? 0) };
  return new Array<Option>(Number(times)).fill(step);
}
