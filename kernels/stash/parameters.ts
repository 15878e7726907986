/** The parameters of the Stadium tables. */
import { WARP_KINDS } from "../common/warp.js";
import { type Declaration, declare, flag, integer, oneOf, type ParamsOf } from "../declare.js";

export const SIZES = [4, 8, 16, 32, 64] as const;

const threshold: Declaration<number | "by ticket"> = {
  default: "by ticket",
  from: 0,
  to: 1,
  integer: false,
  meaning: "occupancy from which on lanes collaborate",
};

/** Of all three tables. */
export const parameters = declare({
  ticket: oneOf([1, 2, 4, 8], { default: 8, meaning: "bits of a ticket: availability and info" }),
  keyBytes: oneOf(SIZES, { default: 4, task: true, meaning: "bytes of a key" }),
  valueBytes: oneOf(SIZES, { default: 4, task: true, meaning: "bytes of a value" }),
  board: flag({ default: true, meaning: "retrievals ask the ticket-board before the table" }),
  access: oneOf([false, true], {
    default: false,
    task: true,
    meaning: "tickets have an access bit, for mixes of all kinds",
  }),
  passed: oneOf([false, true], {
    default: false,
    meaning: "tickets tell searches where no insertion went past (ours)",
  }),
  rehash: flag({
    default: false,
    meaning: "lanes that collaborate hash a pair's step in every turn, as in the paper; false: once, and keep it",
  }),
  batches: integer(0, 2 ** 16, {
    default: 0,
    meaning: "pairs that a lane of a warp fetches; 0: by the number of pairs",
  }),
  lanes: oneOf([1, 2, 4, 8, 16, 32], { default: 32, meaning: "lanes of a warp" }),
  warp: oneOf(WARP_KINDS, { default: "auto", meaning: "what a warp is made of" }),
  threshold,
});

export type StashParams = ParamsOf<typeof parameters>;
