/** What the papers and plug-ins claim, what the papers conclude, and the numbers that they state. */
import type { Claim } from "../claims/claim.js";
import type { Headlines } from "../claims/headlines.js";
import { parseClaims } from "../claims/parse.js";
import { claimTexts } from "./claim-texts.js";

const files = claimTexts().map(({ paper, file, text }) => ({ paper, ...parseClaims(text, file) }));

const allClaims = files.flatMap((file) => file.claims);

/** Every claim, in the order of the papers and their files; after them those that were registered. */
export const claims: readonly Claim[] = allClaims;

/** Adds a claim at run time. */
export function registerClaim(claim: Claim): void {
  allClaims.push(claim);
}

/** Of each paper its headlines, in the papers' order. */
export const headlines: readonly Headlines[] = files
  .filter(({ about }) => about !== "")
  .map(({ paper, about, conclusions }) => ({ paper, about, conclusions }));

const byId = new Map(claims.map((claim) => [claim.id, claim]));

/** The number that a claim states, in the unit of our rows. Throws an Error if there is no such claim, or it states none. */
export function paperNumber(id: string): number {
  const check = byId.get(id)?.check;
  const expect = check && "expect" in check ? check.expect : undefined;
  if (!expect || !("near" in expect)) throw new Error(`no claim ${id} that states a number`);
  return expect.near;
}
