/**
 * The time of retrievals, from what is counted and from what the device was measured to do: nothing is fitted.
 *
 *     time = launch + max(retrievals · memory, retrievals · translations, retrievals · warp steps · step, longest steps · read)
 *     memory = key and result + Σ requests / rate of random reads in memory of the size that they go to
 *     translations = Σ requests / rate of read4, over those that go to memory beyond `PatternRates.translated`
 *
 * Beyond that size blocks take no longer than single sectors, as addresses have to be translated; all else goes on beside this.
 * In `memory` such requests have the rates of that size. Rates are those of access patterns (rows of device/limits and
 * device/beyond-limits), interpolated between two sizes:
 *
 *     a request for one sector        read4
 *     for several, by a tile          the read of such a block by as many lanes, such as read128x8; of larger blocks, several
 *     for several, by one lane        read4 for the first; for those beside it a third of what read128 takes longer than read4
 *     key and result of 8 bytes       lookup4 less read4
 *     step of a warp                  read128x32, in which a warp does nothing else, with as many warps as the device holds
 *     step of the longest lane        chain4, of which each read waits for the one before
 *     launch                          `launch`
 */

import { newestByCell } from "../../bench/results/newest.js";
import type { ResultRow } from "../../bench/results/record.js";
import { rateAt } from "../../bench/run/limits.js";
import { memoryOf } from "../../bench/scenarios/allocation.js";
import { isLimit } from "../../bench/scenarios/limit.js";
import { LAUNCH_LOOKUPS } from "../../bench/scenarios/limits/patterns.js";
import { configure } from "../../kernels/define.js";
import { allTables } from "../../kernels/index.js";
import type { Params, TableType } from "../../kernels/table.js";
import { cellKey } from "../figures/rows.js";

const MIB = 2 ** 20;
/** Bytes of a key, and of a value, unless parameters say otherwise. */
const WORD = 4;
const REQUESTS = /^requests_in_(\d+)$/;
const SECTOR = 32;
const BLOCK = "read128x4";
const NOTICEABLY = 1.05;
/** Reads of a block by several lanes, of lookups or alone. */
const TILE = /^(?:lookup|read)(\d+)x(\d+)$/;

/** Rates of access patterns by table size, M accesses/s. */
export class PatternRates {
  private readonly points = new Map<string, [bytes: number, rate: number][]>();

  /** @param rows of one device */
  constructor(rows: readonly ResultRow[]) {
    const measured = rows.filter(isLimit);
    for (const run of newestByCell(measured, cellKey).values()) {
      const rate = run.find((row) => row.status === "ok" && row.metric === "mops");
      const mib = Number(rate?.params.tableMiB ?? 0);
      if (!rate?.value || mib <= 0) continue;
      const points = this.points.get(rate.table) ?? [];
      points.push([mib * MIB, rate.value]);
      this.points.set(rate.table, points);
    }
  }

  /** ns of an access; NaN for a pattern without rows. */
  time(pattern: string, bytes: number): number {
    return 1e3 / (rateAt(this.points.get(pattern) ?? [], bytes) ?? Number.NaN);
  }

  /**
   * The largest table whose blocks of four sectors take longer than single sectors, if any was measured beyond it. In larger ones the
   * translation of addresses takes the time, not the reads.
   */
  get translated(): number {
    this.foundTranslated ??= this.findTranslated();
    return this.foundTranslated;
  }
  /** Every cell of the model asks for it. */
  private foundTranslated: number | undefined;

  private findTranslated(): number {
    const sizes = (this.points.get(BLOCK) ?? []).map(([bytes]) => bytes);
    return (
      Math.max(...sizes.filter((bytes) => this.time(BLOCK, bytes) > NOTICEABLY * this.time("read4", bytes)), 0) ||
      Number.POSITIVE_INFINITY
    );
  }

  /** ns of a sector beside one that the same lane reads. */
  besideTime(bytes: number): number {
    return (this.time("read128", bytes) - this.time("read4", bytes)) / 3;
  }

  /**
   * The pattern by which the lanes of a retrieval read a block together, and its sectors; undefined for a table without blocks. A table
   * with another number of lanes than the fastest has the pattern of that number, if that was measured.
   */
  blockRead(type: TableType | undefined, params: Params): { id: string; sectors: number } | undefined {
    const own = type && recorded(type, params);
    const access = own?.access("find");
    const [, bytes, usual] = TILE.exec(access?.pattern ?? "") ?? [];
    if (!access || bytes === undefined) return undefined;
    const { lanes = Number(usual) } = access;
    const asked = lanes === 1 ? `read${bytes}` : `read${bytes}x${lanes}`;
    return { id: this.points.has(asked) ? asked : `read${bytes}x${usual}`, sectors: Number(bytes) / SECTOR };
  }

  /** Whether the pattern was measured on a table as large: beyond that nobody knows its rate. */
  reaches(pattern: string, bytes: number): boolean {
    return (this.points.get(pattern) ?? []).some(([measured]) => measured + MIB > bytes);
  }
}

/** The table with a row's parameters, some of which are its benchmark's. */
function recorded(type: TableType, params: Params): TableType {
  const own = Object.entries(params).filter(([name]) => type.parameters.some((one) => one.name === name));
  return configure(type, Object.fromEntries(own));
}

/**
 * Time of one retrieval in ns, or the reason why the model has none.
 * @param cell the rows of a cell that ended well
 */
export function modelledTime(cell: readonly ResultRow[], rates: PatternRates): number | string {
  const counts = new Map(cell.map((row) => [row.metric, row.value ?? 0]));
  const of = (metric: string): number => counts.get(metric) ?? 0;
  const blockBytes = of("block_bytes") || of("table_bytes");
  const [first] = cell;
  if (!first || !counts.has("dispatches")) return "requests were not counted";
  if (memoryOf(first) !== "device") return "the table is in host memory, or in plain allocations";
  if (of("dispatches") > 1) return "several passes over parts of the table, whose warps are not full";
  const requests = [...counts].flatMap(([metric, count]): Requests[] => {
    const [, bytes] = REQUESTS.exec(metric) ?? [];
    return bytes === undefined ? [] : [{ bytes: Number(bytes), count }];
  });
  // The largest part of what is read at random.
  const bytes = Math.max(of("block_requests") > 0 ? blockBytes : 0, ...requests.map((one) => one.bytes));
  const time = (pattern: string): number => rates.time(pattern, bytes);
  if (!rates.reaches("read4", bytes)) return "no reads were measured on a table as large";
  const { params, n, table } = first;
  const { translated } = rates;
  const small = (size: number): number => Math.min(size, translated);
  const single = requests.reduce((sum, one) => sum + one.count * rates.time("read4", small(one.bytes)), 0);
  const pattern = rates.blockRead(
    allTables().find(({ id }) => id === table),
    params,
  );
  const blocks = of("block_requests");
  const beside = Math.max(0, of("transactions") - requests.reduce((sum, one) => sum + one.count, 0) - blocks);
  const several = pattern
    ? Math.max(blocks, (blocks + beside) / pattern.sectors) * rates.time(pattern.id, small(blockBytes))
    : blocks * rates.time("read4", small(bytes)) + beside * rates.besideTime(small(bytes));
  const owed = (Number(params.keyBytes ?? WORD) + Number(params.valueBytes ?? WORD)) / (2 * WORD);
  const streamed = owed * (rates.time("lookup4", small(bytes)) - rates.time("read4", small(bytes)));
  const memory = streamed + single + (blocks + beside > 0 ? several : 0);
  const translations = [...requests, { bytes: blockBytes, count: blocks }]
    .filter((one) => one.bytes > translated)
    .reduce((sum, one) => sum + one.count * rates.time("read4", one.bytes), 0);
  const launch = (LAUNCH_LOOKUPS * time("launch")) / Number(params.lookups ?? n);
  const steps = of("warp_steps") * time("read128x32");
  const longest = counts.has("longest_steps")
    ? (of("longest_steps") * time("chain4")) / Number(params.lookups ?? n)
    : 0;
  const modelled = launch + Math.max(memory, translations, steps, longest);
  return Number.isFinite(modelled) ? modelled : "an access pattern of the model has no rows";
}

/** Requests per retrieval for one sector, in memory of `bytes` bytes. */
interface Requests {
  readonly bytes: number;
  readonly count: number;
}
