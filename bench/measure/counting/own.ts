/** Counters of plug-ins: words of a record that their kernels add to by `count_own`. */
import { type Gate, registerMetric } from "../../results/metrics.js";

/** What a plug-in says of a counter of its own. */
export interface CounterDescription {
  /** As in the column `metric`: lower-case letters, digits and underscores. */
  readonly name: string;
  /** What an operation's number of it is, in one line. */
  readonly meaning: string;
  /** How `compare` decides it; it compares no counter without one. */
  readonly gate?: Gate;
}

/** Words of a record that they have. */
export const OWN_COUNTERS = 4;

/** Names by the plug-in's folder, such as `plugin/mine`, in the order of the module's list. */
const names = new Map<string, string[]>();

/** Makes the next counter of the plug-in's kernels known, and its metric. */
export function registerCounter({ name, meaning, gate }: CounterDescription, folder: string): void {
  names.set(folder, [...(names.get(folder) ?? []), name]);
  registerMetric({ name, meaning, unit: "1/op", ...(gate && { gate }) });
}

/** The counters that a kernel of that file may add to, in the order of the words. */
export function countersOf(file: string): readonly string[] {
  return names.get(file.split("/", 2).join("/")) ?? [];
}
