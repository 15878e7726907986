import { expect, test } from "vitest";
import { subgroupSizes } from "./subgroups.js";

const info = { subgroupMinSize: 4, subgroupMaxSize: 128 };

test("sizes of subgroups are those of a device that has subgroups", () => {
  expect(subgroupSizes(["subgroups", "timestamp-query"], info)).toEqual({ subgroupMin: 4, subgroupMax: 128 });
  expect(subgroupSizes(["timestamp-query"], info)).toEqual({ subgroupMin: 0, subgroupMax: 0 });
  expect(subgroupSizes(["subgroups"], {})).toEqual({ subgroupMin: 0, subgroupMax: 0 });
});
