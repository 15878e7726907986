/** The hybrid's thresholds from rows of stadium/fig13 and stadium/thresholds, as the paper finds them (III.C). */
import { quadraticFit, signChanges } from "../measure/regression.js";
import { groupBy } from "../results/group.js";
import type { ResultRow } from "../results/record.js";
import { fig13, thresholds as otherSizes } from "./stadium/fig13.js";

export interface Threshold {
  readonly pairBytes: number;
  /** Bits. */
  readonly ticket: number;
  /** From 0, always, to 1, never. */
  readonly occupancy: number;
}

const MEASURED = [fig13.id, otherSizes.id];

/**
 * Occupancy from which on clStash takes less time than Stash for a chunk, by ticket and pair size. There the second-order
 * polynomial through time of Stash − time of clStash, over the occupancy in the middle of each chunk, passes 0 from below. If it
 * does not, 0 where clStash takes less time for all chunks together, else 1. `rows` are of one device, each cell once; a
 * configuration with fewer than three chunks of both tables has no threshold. By pair size, then ticket size.
 */
export function hybridThresholds(rows: readonly ResultRow[], chunks: number): readonly Threshold[] {
  const times = rows.filter(
    ({ experiment, metric, params }) => MEASURED.includes(experiment) && metric === "time" && params.chunks === chunks,
  );
  const found: Threshold[] = [];
  for (const own of groupBy(times, ({ params }) => `${pairBytesOf(params)} ${params.ticket}`).values()) {
    const gains = [...groupBy(own, ({ params }) => String(params.chunk)).values()].flatMap(gainOf);
    const [{ params }] = own;
    if (gains.length >= 3)
      found.push({ pairBytes: pairBytesOf(params), ticket: Number(params.ticket), occupancy: thresholdOf(gains) });
  }
  return found.sort((a, b) => a.pairBytes - b.pairBytes || a.ticket - b.ticket);
}

const pairBytesOf = ({ keyBytes, valueBytes }: ResultRow["params"]): number => Number(keyBytes) + Number(valueBytes);

interface Gain {
  readonly occupancy: number;
  /** Time that clStash takes less for the chunk; ns. */
  readonly ns: number;
}

/** Of the two tables' rows of a chunk; none if one was not measured. */
function gainOf(rows: readonly ResultRow[]): Gain[] {
  const [alone, together] = ["stash", "clstash"].map((table) => rows.find((row) => row.table === table));
  if (!alone || !together || alone.value === null || together.value === null) return [];
  const { chunk, chunks } = alone.params;
  const middle = (Number(chunk) - 0.5) / Number(chunks);
  return [{ occupancy: middle * (alone.load_factor ?? Number.NaN), ns: alone.value - together.value }];
}

function thresholdOf(gains: readonly Gain[]): number {
  const xs = gains.map(({ occupancy }) => occupancy);
  const fit = quadraticFit(
    xs,
    gains.map(({ ns }) => ns),
  );
  const pays = signChanges(fit, Math.min(...xs), Math.max(...xs)).find(({ rises }) => rises);
  return pays?.x ?? (gains.reduce((sum, { ns }) => sum + ns, 0) > 0 ? 0 : 1);
}
