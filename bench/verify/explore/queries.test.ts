/** Lanes and workgroups that meet in the kernels of group-bys, distinct and joins: every schedule of one dispatch. */
import { expect, test } from "vitest";
import { addPackageKernels } from "../../device/sources.js";
import { QUERIES, QueryExplorer } from "./queries.js";
import { counted, edited } from "./testing.js";

addPackageKernels();

const SETTINGS = { preemptions: 2, failures: 1, old: 0, relaxed: false };
/** Schedules and endings. */
const BUDGET = 2000;

test.each(QUERIES.map((one) => [`${one.query}: ${one.name}`, one] as const))("%s, in all schedules", async (_, one) => {
  const explored = await new QueryExplorer(SETTINGS, undefined, counted()).explore(one, BUDGET);
  expect(explored.failure).toBeUndefined();
  expect(explored.preemptions).toBeGreaterThanOrEqual(SETTINGS.preemptions);
  expect(explored.schedules).toBeGreaterThan(1);
});

const FAULTS = [
  {
    fault: "a workgroup takes the slot of another group for its own",
    among: "workgroups meet",
    file: "kernels/group-by/table.wgsl",
    edits: { "held = select(claim.old_value, hash, claim.exchanged);": "held = hash;" },
  },
  {
    fault: "a lane takes the slot of another group for its own",
    among: "lanes meet",
    file: "kernels/group-by/group.wgsl",
    edits: { "held_there = select(claim.old_value, hash, claim.exchanged);": "held_there = hash;" },
  },
  {
    fault: "two rows of a key get one place",
    among: "two rows of one key",
    file: "kernels/join/index.wgsl",
    edits: {
      "row_list[atomicAdd(&words[slot], 1u)] = pair.y;":
        "let at = atomicLoad(&words[slot]); row_list[at] = pair.y; atomicStore(&words[slot], at + 1u);",
    },
  },
  {
    fault: "a bit of the mask is lost",
    among: "two first rows",
    file: "kernels/group-by/distinct.wgsl",
    edits: {
      "atomicOr(&marks[firsts[key] / 32u], 1u << (firsts[key] % 32u));":
        "let word = firsts[key] / 32u; atomicStore(&marks[word], atomicLoad(&marks[word]) | (1u << (firsts[key] % 32u)));",
    },
  },
];
test.each(FAULTS.map((fault) => [fault.fault, fault] as const))("%s: found", async (_, fault) => {
  const one = QUERIES.find(({ name }) => name.includes(fault.among));
  if (!one) throw new Error(`no ${fault.among}`);
  const explorer = new QueryExplorer(SETTINGS, edited(fault), counted());
  const { failure } = await explorer.explore(one, BUDGET);
  expect(failure?.why).toMatch(/right is|race for/);
  expect((await explorer.replay(one, failure?.schedule ?? [])).why).toBe(failure?.why);
});
