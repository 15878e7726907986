/** Suggestions for misspelt names. */

/** Edits that a name may be away, as a share of the longer of the two: beyond it nobody meant the one by the other. */
const MOST_EDITS = 0.5;
/** A name of so many letters that is a part of another one, or has it as a part, may mean it. */
const PART = 3;

/**
 * The candidate that takes the fewest edits (Levenshtein, case ignored), the first of equals; undefined if none is near: see
 * MOST_EDITS and PART.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  const given = name.toLowerCase();
  for (const candidate of candidates) {
    const known = candidate.toLowerCase();
    const edits = editDistance(given, known);
    const near =
      edits <= MOST_EDITS * Math.max(given.length, known.length) || isPart(given, known) || isPart(known, given);
    if (near && edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

/** `, did you mean lineitem?`; "" if no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>, before = ", "): string {
  const near = nearest(name, candidates);
  return near === undefined ? "" : `${before}did you mean ${near}?`;
}

function isPart(part: string, whole: string): boolean {
  return part.length >= PART && whole.includes(part);
}

/** Insertions, deletions and substitutions of UTF-16 units that turn a into b. */
export function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1));
    }
    above = row;
  }
  return above[b.length]!;
}
