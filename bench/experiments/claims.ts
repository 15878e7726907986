/** What the papers, groups of our own and plug-ins claim, what the papers conclude, and the numbers that they state. */
import type { Claim } from "../claims/claim.js";
import { isTarget } from "../claims/expectation.js";
import type { Headlines } from "../claims/headlines.js";
import { papers } from "../claims/papers.js";
import { parseClaims } from "../claims/parse.js";
import { claimTexts } from "./claim-texts.js";

const files = claimTexts().map(({ group, file, text }) => ({ group, ...parseClaims(text, file) }));

const allClaims = files.flatMap((file) => file.claims);

/** Every claim, in the order of the groups and their files; after them those that were registered. */
export const claims: readonly Claim[] = allClaims;

/** Adds a claim at run time. */
export function registerClaim(claim: Claim): void {
  allClaims.push(claim);
}

/** Of each paper its headlines, in the papers' order. */
export const headlines: readonly Headlines[] = papers.flatMap(({ id }) =>
  files
    .filter(({ group, about }) => group === id && about !== "")
    .map(({ about, conclusions }) => ({ paper: id, about, conclusions })),
);

const byId = new Map(claims.map((claim) => [claim.id, claim]));

/** The number that a claim states, in the unit of our rows. Throws an Error if there is no such claim, or it states none. */
export function paperNumber(id: string): number {
  const check = byId.get(id)?.check;
  const expect = check && "expect" in check ? check.expect : undefined;
  if (!expect || !isTarget(expect) || expect.from !== expect.to) throw new Error(`no claim ${id} that states a number`);
  return expect.from;
}
