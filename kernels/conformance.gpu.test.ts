import { describe, expect } from "vitest";
import { spared, testGpu } from "../bench/device/testing.js";
import { casesFor, testCases } from "../bench/verify/testing.js";
import { ownTables } from "./index.js";

const gpu = testGpu();
/** Not those that other tests of the process register. On SwiftShader one of two that sort: it takes long to compile each sort. */
const ours = ownTables.filter(({ id }) => !spared || id !== "sorted-compacting");

/**
 * What SwiftShader, where all takes long, runs of a table: the cases that begin so. They have each of its kernels once, searches and
 * insertions of many pairs, and what races. Other core cases give the same kernels other keys and bounds: lavapipe runs all of them.
 */
const ON_SWIFTSHADER = [
  "many pairs at the usual load factor",
  "a random history of insertions, searches and erasures",
  "slices in which all kinds of operations race",
  "crowded buckets",
  "downsizings",
  "flushes",
  "repeated keys: every key 1 to 1024 times",
];

/**
 * What the host does when a pool has no slab left: by kernels that other cases run, in hundreds of batches. It is the same for a set,
 * whose pool grows in kernels/slab-hash/banked.gpu.test.ts.
 */
const OF_THE_HOST = "slabs that run out";

describe.each(ours.map((type) => ({ id: type.id, type })))("$id", ({ id, type }) => {
  const all = casesFor(type).filter(({ name }) => id !== "slab-set" || !name.startsWith(OF_THE_HOST));
  const few = all.filter(({ name, long }) => !long && ON_SWIFTSHADER.some((begin) => name.startsWith(begin)));
  // A name that has changed must not leave a table without cases.
  expect(few.length).toBeGreaterThan(0);
  testCases(spared ? few : all, gpu, type);
});
