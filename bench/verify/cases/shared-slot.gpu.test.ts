import { expect, test } from "vitest";
import { testGpu } from "../../device/testing.js";
import { Mismatch } from "../bulk.js";
import { checkCase } from "../case.js";
import { mutant } from "../mutant/mutant.js";
import { caseNamed, casesNamed } from "../testing.js";
import { PLACEMENTS, type Race, racesOf, runRace, wrongRaces } from "./shared-slot.js";

const gpu = testGpu();

test("a table that takes the first free slot is found out wherever operations are not in step", async () => {
  const wrong: Race[] = [];
  for (const placement of PLACEMENTS) wrong.push(...(await wrongRaces(gpu(), placement)));
  const found = (placement: string) => wrong.filter((race) => race.placement === placement).length;
  console.log(PLACEMENTS.map((placement) => `${placement}: ${found(placement)} of 9 races`).join("; "));
  // In one subgroup the adapter may do one kind of operation of all lanes after another: there the cases say so.
  expect(found("one workgroup") + found("different workgroups")).toBeGreaterThan(0);
});

test.each(PLACEMENTS)(
  "with one insertion of a key, which cannot be there twice, it is right in %s",
  async (placement) => {
    for (const race of racesOf(placement, { duplicates: false })) await runRace(gpu(), mutant, race);
  },
);

test("it is right where operations do not race", async () => {
  const others = casesNamed(mutant, "cleared", "smallest", "one pair", "later values");
  for (const other of others) await checkCase(other, gpu(), mutant);
});

test("it is found out where a key lies behind a slot that was erased before", async () => {
  const one = caseNamed(mutant, "insertions of a key into slots that were erased before");
  await expect(checkCase(one, gpu(), mutant)).rejects.toThrow(Mismatch);
});
