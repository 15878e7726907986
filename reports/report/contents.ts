/** Everything that a report shows, worked out from rows and claims before any of it is written. */

import type { Experiment } from "../../bench/base/experiment.js";
import { type Claim, isPapers } from "../../bench/claims/claim.js";
import type { Headlines } from "../../bench/claims/headlines.js";
import { paperOf } from "../../bench/claims/papers.js";
import type { Score } from "../../bench/claims/score.js";
import { type Disagreement, disagreements } from "../../bench/results/disagreements.js";
import type { ExploredTable } from "../../bench/results/explored.js";
import { groupBy } from "../../bench/results/group.js";
import type { ResultRow } from "../../bench/results/record.js";
import type { Verified } from "../../bench/results/verified.js";
import { type Drawing, drawing } from "../figures/figure.js";
import { rowsOf } from "../figures/rows.js";
import { type Column, columnsOf } from "./columns.js";
import type { Host } from "./hosts.js";
import { type Choice, choices } from "./jobs.js";
import { type PortTable, portTables } from "./originals.js";
import { type Ranking, rankings } from "./ranking.js";
import { type RawData, rawData } from "./raw-data.js";

/** Devices that a page shows at first; its reader chooses others. */
export const SHOWN_DEVICES = 3;

/** One score per claim, in their order. */
type Scorer = (claims: readonly Claim[], rows: readonly ResultRow[]) => Score[];

export interface Report {
  readonly columns: readonly Column[];
  /** Headlines of the papers that have claims here, with the claims that answer them. */
  readonly headlines: readonly PaperHeadlines[];
  /** By column: which table to take for which job. */
  readonly choices: readonly (readonly Choice[])[];
  /** The papers' claims, in the order of the claims. */
  readonly papers: readonly { readonly paper: string; readonly claims: readonly ScoredClaim[] }[];
  /** Our own claims about the papers' figures. */
  readonly ours: readonly ScoredClaim[];
  /** Figures of experiments that have rows, in the registry's order. */
  readonly figures: readonly ReportFigure[];
  /** Declared experiments without any row. */
  readonly absent: readonly Experiment[];
  readonly hosts: ReadonlyMap<string, Host>;
  /** By column. */
  readonly disagreements: readonly (readonly Disagreement[])[];
  /** Rankings, where there are several columns. */
  readonly rankings: readonly Ranking[];
  /** By column. */
  readonly ports: readonly (readonly PortTable[])[];
  /** What the folders say was verified. */
  readonly verified: readonly Verified[];
  /** And what was explored. */
  readonly explored: readonly ExploredTable[];
  /** Path of the package from the report's folder; null where that is not in it. */
  readonly sources: string | null;
  readonly raw: RawData;
  readonly rows: readonly ResultRow[];
}

export interface ReportFigure {
  readonly experiment: Experiment;
  /** Its drawings, in the columns with something to draw or cells that failed. */
  readonly drawn: readonly { readonly column: Column; readonly drawing: Drawing }[];
}

export interface PaperHeadlines extends Pick<Headlines, "paper" | "about"> {
  readonly conclusions: readonly {
    readonly quote: string;
    readonly short: string;
    readonly section: string;
    readonly claims: readonly ScoredClaim[];
  }[];
}

/** A claim and its score in each column. */
export interface ScoredClaim {
  readonly claim: Claim;
  readonly scores: readonly Score[];
}

export interface ReportInput {
  readonly rows: readonly ResultRow[];
  readonly hosts: ReadonlyMap<string, Host>;
  readonly verified?: readonly Verified[];
  readonly explored?: readonly ExploredTable[];
  readonly sources?: string | null;
  readonly experiments: readonly Experiment[];
  readonly claims: readonly Claim[];
  readonly headlines?: readonly Headlines[];
  readonly scorecard: Scorer;
}

export function buildReport(input: ReportInput): Report {
  const {
    rows,
    hosts,
    verified = [],
    explored = [],
    sources = null,
    experiments,
    claims,
    headlines = [],
    scorecard,
  } = input;
  const columns = columnsOf(rows);
  const byColumn = columns.map((column) => scorecard(claims, column.rows));
  const scored = claims.map((claim, i) => ({ claim, scores: byColumn.flatMap((scores) => scores[i] ?? []) }));
  const theirs = scored.filter(({ claim }) => isPapers(claim));
  const drawn = new Set(experiments.filter((e) => columns.some((column) => rowsOf(e, column.rows).length > 0)));
  return {
    columns,
    headlines: headlines.flatMap((of) => answered(of, scored)),
    choices: columns.map((column) => choices(experiments, column.rows)),
    papers: [...groupBy(theirs, ({ claim }) => paperOf(claim.experiment))].map(([paper, claims]) => ({
      paper,
      claims,
    })),
    ours: scored.filter(({ claim }) => !isPapers(claim)),
    figures: [...drawn].map((experiment) => ({ experiment, drawn: drawnIn(experiment, columns) })),
    absent: experiments.filter((e) => !drawn.has(e)),
    disagreements: columns.map((column) => disagreements(column.rows)),
    rankings: rankings(columns),
    ports: columns.map((column) => portTables(experiments, column.rows)),
    sources,
    raw: rawData(rows),
    verified,
    explored,
    hosts,
    rows,
  };
}

/** Conclusions of which no claim is here are left out, and so are papers without any. */
function answered({ paper, about, conclusions }: Headlines, scored: readonly ScoredClaim[]): PaperHeadlines[] {
  const told = conclusions.flatMap(({ claims: ids, ...own }) => {
    const claims = scored.filter(({ claim }) => ids.includes(claim.id));
    return claims.length > 0 ? [{ ...own, claims }] : [];
  });
  return told.length > 0 ? [{ paper, about, conclusions: told }] : [];
}

/** Anchor of an experiment's figure. */
export function figureAnchor(experiment: string): string {
  return `figure-${experiment.replace(/[^A-Za-z0-9.]+/g, "-")}`;
}

function drawnIn(experiment: Experiment, columns: readonly Column[]): ReportFigure["drawn"] {
  const all = columns.map((column) => ({ column, drawing: drawing(experiment, column.rows) }));
  return all.filter(({ drawing: { data } }) => data.points.length + data.missing.length > 0);
}

/** Where in the report's folder the figure of an experiment, or of that name, lies; the device comes first where there are several. */
export function figureFile(
  { columns }: Pick<Report, "columns">,
  { id }: Pick<Experiment, "id">,
  column: Column,
): string {
  return columns.length > 1 ? `${column.slug}/${id}.svg` : `${id}.svg`;
}
