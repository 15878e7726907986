/** The report's section on what was verified: the variants of each table, and how many operations. Empty where no folder says. */
import { whole } from "../../bench/base/format.js";
import { type Verified, verifiedOf } from "../../bench/results/verified.js";
import { html, type Markup } from "../figures/markup.js";
import type { Report } from "./contents.js";

export const VERIFICATION_TITLE = "Verified";
export const VERIFICATION_TEXT =
  "Conformance against a CPU oracle, by hashbench verify: every combination of parameters with which an experiment times a table, and every " +
  "value of a list on its own. Beside that the answers of every timed cell are checked.";
export const VERIFICATION_HEAD = [
  "table",
  "variants",
  "failed",
  "not verified",
  "operations",
  "commit",
  "which",
] as const;

/** One line a table, by {@link VERIFICATION_HEAD}. */
export function verificationCells(verified: Verified): string[][] {
  const tables = [...new Set(verified.variants.map(({ table }) => table))];
  return tables.map((table) => {
    const { variants, failed, skipped, operations, values, commits } = verifiedOf(verified, table);
    const number = (value: number) => whole(value);
    const counts = [variants, failed, skipped, operations].map(number);
    return [table, ...counts, commits.join(", "), values.replaceAll(",", ", ")];
  });
}

/** `nvidia-h200, NVIDIA: 580.159.04, webgpu 0.6.2`. */
export function verifiedOn({ device, driver, dawn }: Verified): string {
  return [device, driver, dawn].filter(Boolean).join(", ");
}

export function verificationSection({ verified }: Report): Markup | null {
  if (verified.length === 0) return null;
  return html`<section id="verified" aria-labelledby="verified-title">
<h2 id="verified-title">${VERIFICATION_TITLE}</h2>
<p>${VERIFICATION_TEXT}</p>
${verified.map(
  (
    one,
  ) => html`<div class="scroll" tabindex="0" role="region" aria-label="${VERIFICATION_TITLE} on ${one.device}"><table class="facts verified">
<caption>${verifiedOn(one)}</caption>
<thead><tr>${VERIFICATION_HEAD.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${verificationCells(one).map(
    (cells) => html`<tr>${cells.map((text) => html`<td>${text}</td>`)}</tr>`,
  )}</tbody></table></div>`,
)}
</section>`;
}
