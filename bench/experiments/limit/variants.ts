import type { Experiment } from "../../base/experiment.js";
import { TABLES } from "../shared.js";
import { quotientPlain, table } from "./table.js";

export const variants: Experiment = {
  ...table,
  id: "limit/variants",
  title: "Quotient without large pages, and Stash with a passed bit, by size",
  series: [TABLES.quotient, ...quotientPlain, TABLES.stash, TABLES.stashPassed],
  from: [table.id],
  figure: { ...table.figure, only: "declared", beside: {} },
};
