/** In place of datasets/ahead.ts: a page makes data sets when they are asked for. */
import type { KeySource } from "../../../../datasets/dataset.js";

type Ahead = typeof import("../../../../datasets/ahead.js");

export const LEAST: Ahead["LEAST"] = 2 ** 21;
export const isForThread: Ahead["isForThread"] = async () => false;

export class MadeAhead implements Pick<InstanceType<Ahead["MadeAhead"]>, "begin" | "keep" | "pause" | "take"> {
  begin(): void {}
  take(_: unknown, source: KeySource): KeySource {
    return source;
  }
  keep(): void {}
  pause(): void {}
}
