/** A join by a table of chains, in which each row of the build side has a pair of its own: beside that of kernels/join, whose keys have one slot. */
import { PrefixSum } from "../../../kernels/common/scan.js";
import { groupsFor } from "../../../kernels/common/steps.js";
import { createTable } from "../../../kernels/create.js";
import { dispatch } from "../../../kernels/device/bind.js";
import { DoesNotFit } from "../../../kernels/device/errors.js";
import type { Owner } from "../../../kernels/device/owned.js";
import type { Joined, JoinKind, makeJoin } from "../../../kernels/join/join.js";
import { slabHash } from "../../../kernels/slab-hash/slab-hash.js";

/** A left join's rows without a partner are no pairs of a table. */
export const CHAINED: readonly JoinKind[] = ["inner", "semi", "anti"];
/** Pairs / slots of slabs: the slab hash's usual one. */
export const CHAIN_LOAD = 0.65;
/** Results of a tile: TILE of expand.wgsl. */
const TILE = 2048;

/** As `makeJoin`, for n rows of the build side and `probes` of the probe side. The table is cleared before the time is taken. Throws DoesNotFit. */
export async function makeChainJoin(
  gpu: Owner,
  {
    kind,
    n,
    probes,
    seed,
  }: { readonly kind: JoinKind; readonly n: number; readonly probes: number; readonly seed: number },
): Promise<Pick<Awaited<ReturnType<typeof makeJoin>>, "run">> {
  const pairs = kind === "inner";
  const params = slabHash.multimapParams ?? {};
  const table = await createTable(slabHash, gpu, { n, loadFactor: CHAIN_LOAD, seed, counting: false, params });
  const values = await gpu.alloc("numbers of rows", 4 * n);
  const results = await gpu.alloc("answers to rows", 4 * probes * (pairs ? 2 : 1));
  const offsets = await gpu.alloc("offsets of results", 4 * (probes + 1));
  const expanding = { file: "kernels/join/expand.wgsl", conditions: { ONE: true } };
  const [scan, rows, count, mark, expand] = await Promise.all([
    PrefixSum.make(gpu),
    gpu.kernel({ file: "kernels/join/rows.wgsl", takes: ["numbers", "n"] }),
    gpu.kernel({
      file: "bench/scenarios/workload/chains.wgsl",
      conditions: { RANGES: pairs, ABSENT: kind === "anti" },
      takes: ["n", "answers", "offsets"],
    }),
    gpu.kernel({ ...expanding, takes: ["expand_plan", "offsets", "tile_rows"] }),
    gpu.kernel({ ...expanding, entry: "expand", takes: ["expand_plan", "offsets", "tile_rows", "probe_rows"] }),
  ]);
  const outputs = gpu.kept(async (own, most: number) => ({
    tiles: await own.alloc("rows of tiles", 4 * Math.ceil(most / TILE)),
    probe: await own.alloc("rows of the probe side", 4 * most),
  }));
  return {
    async run(runs, build, probe): Promise<Joined> {
      await table.clear();
      const numbered = await runs([dispatch(rows, groupsFor(n), { numbers: values, n })]);
      const inserted = await table.insert(runs, { keys: build.keys, values, n });
      if (inserted.count > 0) throw new Error(`${inserted.count} of ${n} rows found no slot`);
      const asked = { keys: probe.keys, results, n: probe.n };
      const found = pairs ? await table.multimap?.findAll(runs, asked) : undefined;
      const { ns } = found ?? (await table.find(runs, asked));
      const counted = await runs([
        dispatch(count, groupsFor(probe.n + 1), { n: probe.n, answers: results, offsets }),
        ...scan.steps(offsets, probe.n + 1),
      ]);
      const [all = 0] = await gpu.read(offsets, 1, probe.n);
      if (4 * all > gpu.maxBinding)
        throw new DoesNotFit(`join: ${all} results; the device binds ${gpu.maxBinding} bytes`);
      const { tiles, probe: probe_rows } = await outputs.get(Math.max(1, all));
      const expand_plan = { rows: probe.n, results: all };
      const { ns: more } = all
        ? await runs([
            dispatch(mark, groupsFor(probe.n), { expand_plan, offsets, tile_rows: tiles }),
            dispatch(expand, Math.ceil(all / TILE), { expand_plan, offsets, tile_rows: tiles, probe_rows }),
          ])
        : { ns: 0 };
      return {
        build: numbered.ns + inserted.ns,
        probe: ns + counted.ns + more,
        restarts: inserted.restarts,
        results: all,
        // The list has the partners of each row side by side, in the order of the rows.
        rows: { ...(found && { build: found.list }), probe: probe_rows },
      };
    },
  };
}
