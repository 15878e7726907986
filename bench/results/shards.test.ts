import { describe, expect, test } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import { AnswerIsNo } from "../base/errors.js";
import type { StoredCell, StoredFolder } from "./folder.js";
import { merge } from "./merge.js";
import type { ResultRow } from "./record.js";
import { checkShards, unfinished } from "./shards.js";
import { row } from "./testing.js";

interface Measured {
  readonly count?: number;
  /** What the rows say, one cell each. */
  readonly rows?: readonly Partial<ResultRow>[];
  /** Whether its run has come to its end; it may have noted its seconds so far. */
  readonly ended?: boolean | "noted";
}

/** The folder of a shard as `run` writes it. */
function shard(index: number, { count = 4, rows = [{}], ended = true }: Measured = {}): StoredFolder {
  const run = `20260102T030405Z-${index}of${count}`;
  const cells = rows.map((change, i): StoredCell => {
    const one = row({ run, n: 1000 * index + i, ...change });
    return { key: `${one.n}`, rows: [one], samples: null, file: `${index}.csv` };
  });
  const { device, driver, toggles } = { ...row(), ...rows[0] };
  const seconds = { ...(ended && { seconds: { all: 1 } }), ...(ended === "noted" && { unfinished: true }) };
  const environment = { run, date: "2026-01-02", shard: { index, count }, ...seconds };
  return {
    path: `shards/${index}`,
    configuration: { seed: 1, shard: { index, count }, device, driver, toggles },
    environments: new Map([[run, environment]]),
    cells,
  };
}

const shards = (...indices: number[]): StoredFolder[] => indices.map((index) => shard(index));
const joined = (...indices: number[]): StoredFolder => ({ ...merge(shards(...indices)), path: "joined" });

function check(folders: readonly StoredFolder[], accepted: Partial<Parameters<typeof checkShards>[1]> = {}): void {
  checkShards(folders, { partial: false, allow: [], ...accepted });
}

describe("shards that are missing", () => {
  test.each<[string, StoredFolder[], RegExp | null]>([
    ["all are there", shards(1, 2, 3, 4), null],
    ["in another order", shards(4, 2, 1, 3), null],
    ["one", shards(1, 2, 4), /^shard 3 of 4 is missing; --partial merges the others$/],
    ["several", shards(3), /^shards 1, 2 and 4 of 4 are missing/],
    ["one twice", [...shards(1, 2, 3), shard(3)], /^shard 4 of 4 is missing/],
    ["merged in steps", [joined(1, 3), ...shards(2, 4)], null],
    ["merged in steps, with one missing", [joined(1, 3), ...shards(4)], /^shard 2 of 4 is missing/],
    ["a merged folder alone", [joined(1, 2)], /^shards 3 and 4 of 4 are missing/],
    ["one without a cell", [...shards(1, 2, 3), shard(4, { rows: [] })], null],
    ["of another division", [...shards(1, 2, 3, 4), shard(1, { count: 2 })], /^shard 2 of 2 is missing/],
  ])("%s", (_, folders, says) => {
    if (says === null) return expect(() => check(folders)).not.toThrow();
    expect(() => check(folders)).toThrow(says);
    expect(() => check(folders)).toThrow(AnswerIsNo);
    expect(() => check(folders, { partial: true })).not.toThrow();
  });

  test("a run of all cells that went on in a merged folder has measured them", () => {
    const { environments, ...rest } = joined(1, 2);
    const more = new Map([...environments, ["20260103T000000Z", { run: "20260103T000000Z", date: "2026-01-03" }]]);
    expect(() => check([{ ...rest, environments: more }])).not.toThrow();
  });

  test("what is no shard passes", () => {
    const { configuration, ...rest } = shard(1);
    const whole = { ...rest, environments: new Map(), configuration: { ...configuration, shard: null } };
    expect(() => check([whole])).not.toThrow();
  });
});

describe("shards that were measured elsewhere", () => {
  const changes = { device: "Other", driver: "9", dawn: "9", toggles: "x", commit: "ffff" } as const;

  test.each(["device", "driver", "dawn", "toggles", "commit"] as const)(
    "%s: refused in one line, --partial or not, unless allowed",
    (column) => {
      const folders = [...shards(1, 2, 3), shard(4, { rows: [{ [column]: changes[column] }] })];
      for (const partial of [false, true]) {
        expect(() => check(folders, { partial })).toThrow(UsageError);
        expect(() => check(folders, { partial })).toThrow(
          new RegExp(`differ in ${column} \\(.* in shards/1, ${changes[column]} in shards/4\\); .*--allow ${column}$`),
        );
      }
      expect(() => check(folders, { allow: [column] })).not.toThrow();
    },
  );

  test("merge joins them where that is allowed, and lists both configurations", () => {
    const folders = [...shards(1, 2, 3), shard(4, { rows: [{ driver: "9" }] })];
    expect(() => merge(folders)).toThrow(/driver: .*; --allow driver accepts that/);
    const { configuration, cells } = merge(folders, ["driver"]);
    expect(cells).toHaveLength(4);
    expect(configuration).toMatchObject({ merged: [{ driver: "1.0" }, { driver: "9" }] });
  });

  test("a shard that went on by another commit differs too", () => {
    const resumed = shard(4, { rows: [{}, { commit: "ffff" }] });
    expect(() => check([...shards(1, 2, 3), resumed])).toThrow(/differ in commit/);
  });

  test("whole sweeps of two devices are no such case, nor is one of them that lacks a shard with --partial", () => {
    const other = [1, 2, 3, 4].map((index) => shard(index, { rows: [{ device: "Other" }] }));
    expect(() => check([...shards(1, 2, 3, 4), ...other])).not.toThrow();
    expect(() => check([...shards(1, 2, 4), ...other])).toThrow(/^shard 3 of 4 is missing/);
    expect(() => check([...shards(1, 2, 4), ...other], { partial: true })).not.toThrow();
  });
});

describe("shards that did not come to their end", () => {
  test("are named, with what their cells say", () => {
    const bad = ["failed", "timeout", "ok", "failed", "postponed"] as const;
    const folders = [
      ...shards(1),
      shard(2, { rows: bad.map((status) => ({ status })) }),
      shard(3, { ended: false }),
      shard(4, { rows: [{ status: "skipped" }] }),
    ];
    expect(unfinished(folders)).toEqual([
      "shard 2/4 in shards/2: cells that are not ok: 2 failed, 1 timeout, 1 postponed",
      "shard 3/4 in shards/3: its run was cut off, or goes on still; run --resume completes it",
    ]);
  });

  test("are named where they noted what they had spent", () => {
    expect(unfinished([shard(3, { ended: "noted" })])).toEqual([expect.stringMatching(/its run was cut off/)]);
  });

  test("a run that was cut off and completed by a later one is not", () => {
    const one = shard(1, { ended: false });
    const later = { run: "later", date: "2026-01-03", seconds: { all: 1 }, shard: { index: 1, count: 4 } };
    expect(unfinished([{ ...one, environments: new Map([["later", later], ...one.environments]) }])).toEqual([]);
  });

  test("are named in a merged folder too", () => {
    const joint = { ...merge([shard(1), shard(2, { ended: false })]), path: "joined" };
    expect(unfinished([joint])).toEqual([expect.stringMatching(/^shard 2\/4 in joined: its run was cut off/)]);
  });
});
