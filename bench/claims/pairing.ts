/** How the cells of two selections are paired. */
import { groupBy } from "../results/group.js";
import type { ResultRow } from "../results/record.js";
import type { Select } from "./claim.js";
import { type Cell, COLUMNS, isEnd, valueAlong } from "./select.js";

export interface Pair {
  readonly of: ResultRow;
  readonly over: ResultRow;
}

type Sides<Of> = readonly [Of, Of];

/**
 * Pairs of rows at the same place. Where one side has several rows at a place, each of them is paired.
 *
 * A place is every column and parameter that varies, that both sides have with some values alike, and that not both selections
 * fix. That goes by the cells that the experiments declare: results that lack some of them pair the others as before. Parameters that
 * rows alone have (of batches, chunks, phases) belong to the place where both sides have them.
 * @param declared cells of the experiments that the selections fit
 */
export function pairUp(
  rows: Sides<readonly ResultRow[]>,
  declared: Sides<readonly Cell[]>,
  sides: Sides<Select>,
): Pair[] {
  const keys = placeColumns(rows, declared, sides);
  const place = (row: ResultRow) => JSON.stringify(keys.map((key) => valueAlong(row, key)));
  const partners = groupBy(rows[1], place);
  return rows[0].flatMap((of) => (partners.get(place(of)) ?? []).map((over) => ({ of, over })));
}

function placeColumns(rows: Sides<readonly Cell[]>, declared: Sides<readonly Cell[]>, sides: Sides<Select>): string[] {
  const whole = declared.every(({ length }) => length > 0);
  const known = whole ? declared : rows;
  const own = paramsOf(known.flat());
  const others = [...paramsOf(rows.flat())].filter((name) => whole && !own.has(name));
  return [
    ...["table", "variant", ...COLUMNS, ...own].filter((key) => isPlace(key, known, sides)),
    ...others.filter((key) => isPlace(key, rows, sides)),
  ];
}

function paramsOf(cells: readonly Cell[]): Set<string> {
  return new Set(cells.flatMap(({ params }) => Object.keys(params)));
}

function isPlace(key: string, cells: Sides<readonly Cell[]>, sides: Sides<Select>): boolean {
  const wanted = sides.map((side) => fixedBy(side, key));
  if (isEnd(wanted[0]) && wanted[0] === wanted[1]) return true;
  const fixes = wanted.map(
    (value) => value !== undefined && (typeof value !== "object" || value === null) && !isEnd(value),
  );
  const isName = key === "table" || key === "variant";
  if (isName ? fixes.includes(true) : !fixes.includes(false)) return false;
  const [of, over] = cells.map((side) => new Set(side.map((cell) => valueAlong(cell, key)))) as unknown as Sides<
    Set<unknown>
  >;
  const alike = [...of].some((value) => value !== null && over.has(value));
  return alike && (of.size > 1 || over.size > 1);
}

function fixedBy({ table, variant, where }: Select, key: string) {
  if (key === "table") return table;
  if (key === "variant") return variant ?? table;
  return where?.[key];
}
