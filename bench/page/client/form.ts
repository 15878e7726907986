/** The form: what is to be measured. */

import type { Experiment } from "../../base/experiment.js";
import { whole } from "../../base/format.js";
import { groupName, groups, paperOf } from "../../claims/papers.js";
import { type Choice, POWERS } from "./choice.js";
import { byId, element } from "./element.js";

const form = byId("form", HTMLFormElement);

interface Field {
  /** What says how many are chosen. */
  readonly summary: HTMLElement;
  readonly boxes: HTMLElement;
}

const field = (id: string): Field => {
  const details = byId(id, HTMLDetailsElement);
  const [summary, boxes] = [details.querySelector("summary"), details.querySelector("div")];
  if (!summary || !boxes) throw new Error(`no list in #${id}`);
  return { summary, boxes };
};
const fields = { experiments: field("experiments"), tables: field("tables") };

function control(name: string): HTMLInputElement | HTMLSelectElement {
  const found = form.elements.namedItem(name);
  if (found instanceof HTMLInputElement || found instanceof HTMLSelectElement) return found;
  throw new Error(`no control ${name}`);
}

function box(name: string, value: string, checked: boolean, ...text: readonly (Node | string)[]): HTMLElement {
  const input = element("input", { type: "checkbox", name, value, checked, autocomplete: "off" });
  return element("label", { class: "check" }, input, " ", ...text);
}

export function fillForm(experiments: readonly Experiment[]): void {
  const options = [
    element("option", { value: "" }, "automatic"),
    ...POWERS.map((power) => element("option", { value: String(2 ** power) }, whole(2 ** power))),
  ];
  control("n").replaceChildren(...options);
  const lists = groups.map(({ id }) => {
    const own = experiments.filter((one) => paperOf(one.id) === id);
    const boxes = own.map((one) => box("experiments", one.id, false, one.title, " ", element("code", {}, one.id)));
    return element("fieldset", {}, element("legend", {}, groupName(id)), ...boxes);
  });
  fields.experiments.boxes.replaceChildren(...lists);
}

export function show(choice: Choice, experiments: readonly Experiment[]): void {
  for (const input of form.querySelectorAll<HTMLInputElement>("input[name=experiments]"))
    input.checked = choice.experiments.includes(input.value);
  showTables(choice, experiments);
  const n = control("n");
  const value = choice.n === null ? "" : String(choice.n);
  // A size of the address that the form does not offer.
  if (n instanceof HTMLSelectElement && ![...n.options].some((option) => option.value === value))
    n.append(element("option", { value }, whole(Number(value))));
  n.value = value;
  control("seed").value = String(choice.seed);
  control("timeout").value = String(choice.timeout);
  const quick = control("quick");
  if (quick instanceof HTMLInputElement) quick.checked = choice.quick;
}

/** The tables of the chosen experiments; others cannot be chosen. */
export function showTables({ experiments: ids, tables: chosen }: Choice, experiments: readonly Experiment[]): void {
  const series = experiments.filter(({ id }) => ids.includes(id)).flatMap((one) => one.series);
  const tables = new Map(series.filter(({ only }) => !only?.loaded).map(({ table, label }) => [table, label ?? table]));
  const boxes = [...tables].map(([table, label]) => {
    return box("tables", table, chosen.includes(table), label, " ", element("code", {}, table));
  });
  fields.tables.boxes.replaceChildren(element("fieldset", {}, element("legend", {}, "None: all of them"), ...boxes));
  const some = chosen.filter((table) => tables.has(table)).length;
  fields.tables.summary.textContent = `Tables: ${some === 0 ? "all" : some} of ${tables.size}`;
  fields.experiments.summary.textContent = `Experiments: ${ids.length} of ${experiments.length}`;
}

export function read(): Choice {
  const data = new FormData(form);
  const n = String(data.get("n") ?? "");
  return {
    experiments: data.getAll("experiments").map(String),
    tables: data.getAll("tables").map(String),
    n: n === "" ? null : Number(n),
    quick: data.has("quick"),
    seed: Number(data.get("seed")),
    timeout: Number(data.get("timeout")),
  };
}

/** Shows the experiments whose paper, title or id has all words of the search. */
function search(asked: string): void {
  const words = asked.toLowerCase().split(/\s+/);
  for (const list of fields.experiments.boxes.querySelectorAll("fieldset")) {
    const paper = list.querySelector("legend")?.textContent ?? "";
    for (const one of list.querySelectorAll("label")) {
      const text = `${paper} ${one.textContent}`.toLowerCase();
      one.hidden = !words.every((word) => text.includes(word));
    }
    list.hidden = !list.querySelector("label:not([hidden])");
  }
}

/** @param changed whenever the reader changes something; @param submitted when it is to run */
export function listen(changed: () => void, submitted: () => void): void {
  const box = byId("search", HTMLInputElement);
  box.addEventListener("input", (event) => {
    event.stopPropagation();
    search(box.value);
  });
  // It would begin the run.
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submitted();
  });
}
