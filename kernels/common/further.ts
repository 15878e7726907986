/** Operations of planned tables beside insertions, searches and erasures. */
import { dispatch } from "../device/bind.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { shapeOf } from "../operations.js";
import { type MixedBatch, type Room, type Rows, type RowsKind, RULES, type RunSteps } from "../table.js";
import { answering, step } from "./bulk.js";
import { type Further, type MoreOp, type Plan, type Planned, planned } from "./planned.js";
import { fillStep, PAIR_BYTES, rangeOf, variant, WORKGROUP } from "./steps.js";

/** A table with all operations of its plan; see {@link planned}. */
export const createPlanned = (gpu: Owner, plan: Plan, counting: boolean) => planned(gpu, plan, counting, { further });

export const further: Further = async (of) => {
  const { plan, gpu, asking, ofKeys, changing } = of;
  const { more = [] } = plan;
  const next_id = more.includes("upsert") ? await gpu.alloc("next id", 4) : null;
  const { upsert, upserting } = upserts(of, next_id);
  const { exported, exporting, pieces } = exports(of);
  function operation(op: MoreOp) {
    const { input } = shapeOf(op);
    if (input === "batch") return mixing(of);
    if (input === "rows") return upsert;
    if (input === "room") return exported;
    return input === "keys" ? changing(ofKeys(op)) : answering(asking(op));
  }
  return {
    operations: Object.fromEntries(more.map((op) => [op, operation(op)])),
    recordable: {
      ...(more.includes("upsert") && { upserting }),
      ...(more.includes("export") && { exporting: () => exporting(), moving: { pieces, next_id } }),
    },
    clearing: next_id ? [await fillStep(gpu, next_id, 0)] : [],
  };
};

function mixing({ gpu, plan: { folder }, counting, shared, status, changed }: Planned) {
  /** The kernel of mixed slices: erasures, or all other operations. */
  function mixed<Takes extends string>(ERASING: boolean, takes: readonly Takes[]) {
    const conditions = { ...shared.conditions, ERASING, PASSES: false };
    return variant(gpu, { ...shared, file: `${folder}/mixed.wgsl`, conditions, takes }, counting);
  }

  return async (run: RunSteps, { kinds, keys, values, results, slices }: MixedBatch) => {
    const [others, erasures] = await Promise.all([
      mixed(false, ["kinds", "keys", "values", "results", "range"]),
      mixed(true, ["kinds", "keys", "results", "range"]),
    ]);
    const steps = slices.flatMap(({ first, count, only }) => {
      const groups = Math.max(1, Math.ceil(count / WORKGROUP));
      const bindings = { kinds, keys, results, range: { first, end: first + count } };
      return [
        ...(only === "erase" ? [] : [dispatch(others, groups, { ...bindings, values })]),
        ...(only && only !== "erase" ? [] : [dispatch(erasures, groups, bindings)]),
      ];
    });
    changed();
    return status.insert(run, steps, folder);
  };
}

function upserts({ gpu, plan: { folder }, counting, shared, status, changed }: Planned, next_id: GPUBuffer | null) {
  const kernels = new Map<string, readonly ReturnType<typeof variant>[]>();
  async function upserting({ rule, results, states, combine = false }: RowsKind) {
    const ids = rule === "id";
    const own = { PASSES: false, IDS: ids, COMBINE: combine, RESULTS: Boolean(results), STATES: Boolean(states) };
    const key = JSON.stringify([rule, own]);
    const source = {
      ...shared,
      file: `${folder}/upsert.wgsl`,
      conditions: { ...shared.conditions, ...own },
      constants: { ...shared.constants, RULE: RULES[rule] },
      bound: { ...shared.bound, ...(next_id && { next_id }) },
    };
    const entries = ids && results ? ["main", "again"] : ["main"];
    const making = kernels.get(key) ?? entries.map((entry) => variant(gpu, { ...source, entry }, counting));
    kernels.set(key, making);
    const [kernel, again] = (await Promise.all(making)) as [Kernel, Kernel?];
    return ({ keys, values, n, first, results, states }: Omit<Rows, "rule">): readonly Step[] => {
      changed();
      const range = rangeOf(n, first);
      const given = { keys, range, ...(!ids && { values }), ...(results && { results }), ...(states && { states }) };
      const { states: _, ...asked } = given;
      return [step(kernel, n, given), ...(again ? [step(again, n, asked)] : [])];
    };
  }
  const upsert = async (run: RunSteps, rows: Rows) => status.insert(run, (await upserting(rows))(rows), folder);
  return { upsert, upserting };
}

function exports({ gpu, plan: { block, blockBytes = PAIR_BYTES, bytes, folder }, buffers, shared, status }: Planned) {
  const roomFor = (room: Room | null) => (room ? { keys: room.keys, values: room.values, room: room.n } : {});
  /** The kernel, and what it looks through with so many lanes: a bank or, by a kernel of the table's own, all of it. */
  async function listing(PAIRS: boolean, PIECE = false) {
    const conditions = { ...shared.conditions, PAIRS, PIECE };
    if (block === undefined) {
      const kernel: Kernel = await gpu.kernel({ ...shared, file: `${folder}/export.wgsl`, conditions });
      return { kernel, parts: [{ lanes: bytes / blockBytes, bank: {} }] };
    }
    const bound = { status: status.buffer, in_block: block };
    const kernel: Kernel = await gpu.kernel({ file: "kernels/common/export.wgsl", conditions, bound });
    return { kernel, parts: buffers.map((table) => ({ lanes: table.size / PAIR_BYTES, bank: { table } })) };
  }
  /** What makes the steps of an export; without `pairs` they are counted alone. */
  async function exporting(pairs = true): Promise<(room: Room | null) => readonly Step[]> {
    const { kernel, parts } = await listing(pairs);
    return (room) => parts.map(({ lanes, bank }) => step<string>(kernel, lanes, { ...roomFor(room), ...bank }));
  }
  /** Steps that list the pairs of a piece of the table each, at most so many. */
  async function pieces(most: number) {
    const { kernel, parts } = await listing(true, true);
    // A block has a word per pair, or more.
    const pairsPerLane = block === undefined ? blockBytes / 4 : 1;
    const piece = Math.max(1, Math.floor(most / pairsPerLane / WORKGROUP)) * WORKGROUP;
    return parts.flatMap(({ lanes, bank }) =>
      Array.from({ length: Math.ceil(lanes / piece) }, (_, i) => (room: Room) => {
        const bindings = { ...roomFor(room), ...bank, piece_first: i * piece };
        return step<string>(kernel, Math.min(piece, lanes - i * piece), bindings);
      }),
    );
  }
  const exported = async (run: RunSteps, room: Room | null) =>
    status.count(run, (await exporting(room !== null))(room), "changed");
  return { exported, exporting, pieces };
}
