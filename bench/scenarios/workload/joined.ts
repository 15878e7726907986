/** The check of a join's results on the device. */
import { type Owner, scoped } from "../../../kernels/device/owned.js";
import { JOIN_KINDS, type Joined, type JoinKind } from "../../../kernels/join/join.js";
import { type Check, firstWrong } from "./check.js";
import type { GroupedRows } from "./grouped.js";

const FILE = "bench/scenarios/workload/joined.wgsl";

/** The sides that were joined, and how many numbers of keys rows of either may have. */
interface Sides {
  readonly build: GroupedRows;
  readonly probe: GroupedRows;
  readonly numbers: number;
}

/** What is wrong with the results, in one line; "" if nothing is. Throws DoesNotFit. */
export function wrongJoin(
  gpu: Owner,
  { build, probe, numbers }: Sides,
  { results, rows }: Joined,
  kind: JoinKind,
): Promise<string> {
  return scoped(gpu, async (own) => {
    const seen = {
      build: await own.alloc("build rows seen", 4 * build.n),
      probe: await own.alloc("probe rows seen", 4 * probe.n),
    };
    const counts = {
      build_counts: await build.counts(own, numbers),
      probe_counts: await probe.counts(own, numbers),
    };
    const check = (entry: string, items: number, side: number, bound: Check["bound"]) => {
      const plan = { items, seed: build.seed, kind: JOIN_KINDS.indexOf(kind), side };
      return firstWrong(own, items, { file: FILE, entry, bound: { ...bound, plan } });
    };
    const probing = { probe_keys: probe.keys, probe_rows: rows.probe, probe_seen: seen.probe };
    const building = { build_keys: build.keys, build_rows: rows.build ?? rows.probe, build_seen: seen.build };
    const pairs = rows.build
      ? await check("check_pairs", results, 0, { ...probing, ...building })
      : await check("check_alone", results, 0, probing);
    if (pairs) return `${pairs.count} of ${results} results are of no rows that belong together`;
    const asked = await check("check_side", probe.n, 1, { keys: probe.keys, seen: seen.probe, ...counts });
    if (asked) return `${asked.count} rows of the probe side are in too many or too few results`;
    if (!rows.build) return "";
    const built = await check("check_side", build.n, 0, { keys: build.keys, seen: seen.build, ...counts });
    return built ? `${built.count} rows of the build side are in too many or too few results` : "";
  });
}
