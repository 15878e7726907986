/** The report's section on which device is how fast. Empty for a single device. */

import { percent, whole } from "../../bench/base/format.js";
import { groupName } from "../../bench/claims/papers.js";
import { groupBy } from "../../bench/results/group.js";
import { html, type Markup } from "../figures/markup.js";
import { amountOf } from "../figures/units.js";
import type { Report } from "./contents.js";
import { pack, packedElement } from "./packed.js";
import { byShare, type Place, type Ranking } from "./ranking.js";

const RANKING_TITLE = "Ranking of devices";
const RANKING_TEXT =
  "For each table and operation of a paper, the setting that most devices have in common, at each device's largest n. Share of the limit: of the rate " +
  "that device/limits measured on the same device for the accesses that the operation cannot avoid. A large share says that a table suits the device, not that the device is fast.";
const RANKING_HEAD = ["fastest", "slowest", "nearest to its limit", "farthest from its limit"] as const;

/** One line of the table, by {@link RANKING_HEAD}. */
function rankingCells({ places }: Ranking, labels: readonly string[]): string[] {
  const name = (place: Place | undefined, text: (place: Place) => string): string =>
    place ? `${labels[place.column]}: ${text(place)}` : "–";
  const shares = byShare(places);
  return [name(places[0], rate), name(places.at(-1), rate), name(shares[0], share), name(shares.at(-1), share)];
}

function rate({ mops }: Place): string {
  return amountOf(mops, "M op/s");
}

function share({ share: value }: Place): string {
  return value === null ? "–" : percent(value);
}

export function rankingSection({ columns, rankings }: Report): Markup | null {
  if (rankings.length === 0) return null;
  const labels = columns.map(({ label }) => label);
  const packed = {
    devices: columns.map(({ slug, label }) => ({ slug, label })),
    rankings: rankings.map(({ places }) =>
      places.map((place) => ({
        column: place.column,
        mops: place.mops,
        share: place.share,
        texts: [rate(place), share(place), whole(place.n)],
      })),
    ),
  };
  const groups = groupBy(
    rankings.map((ranking, i) => ({ ranking, i })),
    ({ ranking }) => ranking.paper,
  );
  return html`<section id="ranking" aria-labelledby="ranking-title">
<h2 id="ranking-title">${RANKING_TITLE}</h2>
<p>${RANKING_TEXT}</p>
<div class="verdicts" role="group" aria-label="Order of the devices"><button type="button" data-order="mops" aria-pressed="true">by rate</button><button type="button" data-order="share" aria-pressed="false">by share of the limit</button></div>
<p class="hint" id="ranking-count" role="status">${rankings.length} rankings shown</p>
<div class="scroll" tabindex="0" role="region" aria-label="${RANKING_TITLE}"><table class="facts rankings">
<thead><tr><th scope="col">Table, operation</th>${RANKING_HEAD.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
${[...groups].map(
  ([
    paper,
    own,
  ]) => html`<tbody><tr class="group"><th colspan="${RANKING_HEAD.length + 1}" scope="rowgroup">${groupName(paper)}</th></tr>
${own.map(({ ranking, i }) => rankingLine(ranking, i, labels))}</tbody>`,
)}</table></div>
${packedElement(pack(packed), "rankings")}
</section>`;
}

function rankingLine(ranking: Ranking, index: number, labels: readonly string[]): Markup {
  const id = `ranking-${index}`;
  return html`<tr class="ranked" data-ranking="${index}" data-paper="${ranking.paper}" data-tables="${ranking.table}">
<th scope="row"><button type="button" class="disclose" aria-expanded="false" aria-controls="${id}-more">${ranking.title}: ${ranking.operation}</button><small>${ranking.places.length} devices; ${ranking.setting}</small></th>
${rankingCells(ranking, labels).map((text) => html`<td>${text}</td>`)}</tr>
<tr class="more" id="${id}-more" hidden><td colspan="${RANKING_HEAD.length + 1}"></td></tr>`;
}
