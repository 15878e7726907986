/** Rows of the devices whose results are published with the page, where they are. */
import { parseRows } from "../../results/csv.js";
import type { ResultRow } from "../../results/record.js";
import type { Beside } from "../site.js";

export interface PublishedIndex extends Beside {
  /** By device, as its folder is called: ids of the experiments that `published/<device>/<id>.csv` has rows of. */
  readonly devices: Readonly<Record<string, readonly string[]>>;
}

const texts = new Map<string, Promise<string | null>>();

/** What there is; nothing where the page came without. */
export async function publishedIndex(): Promise<PublishedIndex> {
  const text = await fetched("published/index.json");
  return text === null ? { devices: {}, report: "", docs: "" } : (JSON.parse(text) as PublishedIndex);
}

/** The rows of an experiment on a published device; none where it was not measured. Throws a UsageError for a broken file. */
export async function publishedRows(folder: string, experiment: string): Promise<ResultRow[]> {
  const file = `published/${folder}/${experiment}.csv`;
  const text = await fetched(file);
  return text === null ? [] : parseRows(text, file);
}

/** Null where there is no such file. */
function fetched(path: string): Promise<string | null> {
  const known = texts.get(path);
  if (known) return known;
  const made = fetch(path)
    .then((response) => (response.ok ? response.text() : null))
    .catch(() => null);
  texts.set(path, made);
  return made;
}
