import { expect, test } from "vitest";
import { rowOf, stated } from "../claims/testing.js";
import { deviceRates, scorecard } from "./scorecard.js";

const claim = stated("every bucketed ~ 2");

test("of several runs of a cell the one that recorded it last counts, whichever began first", () => {
  const sweep = rowOf({ table: "bucketed", run: "20260101T000000Z", time: "2026-01-01T00:30:00.000Z", value: 2 });
  const short = rowOf({ table: "bucketed", run: "20260101T001000Z", time: "2026-01-01T00:11:00.000Z", value: 1 });
  expect(scorecard([claim], [sweep, short])).toMatchObject([{ verdict: "reproduced", rows: [sweep] }]);
});

test("a device's rates are those beyond its caches: the fastest copy, random accesses at the smallest such table", () => {
  const limit = (table: string, metric: string, tableMiB: number, value: number) =>
    rowOf({ experiment: "device/limits", table, metric, params: { tableMiB }, value });
  const rows = [
    ...[
      limit("copy", "bandwidth", 16, 9000),
      limit("copy", "bandwidth", 512, 4100),
      limit("copy", "bandwidth", 1024, 4200),
    ],
    ...[limit("exchange", "mops", 1024, 15), limit("exchange", "mops", 512, 16), limit("exchange", "mops", 1, 90)],
  ];
  expect(deviceRates(rows)).toEqual({ "copy bandwidth": 4200, "random updates": 16, "random reads": null });
});

test("on a software adapter no speed is judged, and what kernels count is", () => {
  const counted = stated("every bucketed.probes ~ 2");
  const share = stated("every bucketed.limit_share ~ 2");
  const along = stated("correlation bucketed of time with probes >= 0.9");
  const metrics = ["mops", "probes", "limit_share", "time"];
  const rowsOn = (device: string) =>
    [1, 2, 3].flatMap((n) => metrics.map((metric) => rowOf({ device, metric, n, value: 2, table: "bucketed" })));
  const verdicts = (device: string) =>
    scorecard([claim, counted, share, along], rowsOn(device)).map(({ verdict }) => verdict);
  expect(verdicts("llvmpipe (LLVM 19)")).toEqual([
    ...["not comparable", "reproduced", "not comparable", "not comparable"],
  ]);
  const inHostMemory = ["counted_mops", "mops"].map((metric) =>
    rowOf({ device: "llvmpipe (LLVM 19)", metric, params: { allocation: "host" }, value: 2, table: "bucketed" }),
  );
  expect(scorecard([stated("every bucketed.counted_mops ~ 2")], inHostMemory)).toMatchObject([{ verdict: "stand-in" }]);
  expect(verdicts("NVIDIA H200").slice(0, 3)).toEqual(["reproduced", "reproduced", "reproduced"]);
});
