/** The page: shows the device, takes a choice, runs it in a worker, and draws what comes. */

import type { DeviceInfo } from "../../../kernels/device/gpu.js";
import { rowsOf } from "../../../reports/figures/rows.js";
import { messageOf } from "../../base/errors.js";
import { decimals, rounded, whole } from "../../base/format.js";
import { experiments } from "../../experiments/index.js";
import { deviceSlug } from "../../results/device-name.js";
import { cellKey } from "../../results/key.js";
import type { ResultRow } from "../../results/record.js";
import type { Range } from "../../run/estimate.js";
import { attention } from "./attention.js";
import { addCell, clearCells } from "./cells.js";
import { type Choice, firstChoice, fromHash, toHash } from "./choice.js";
import { byId, element } from "./element.js";
import { Figure } from "./figures.js";
import { fillForm, listen, read, show, showTables } from "./form.js";
import { loadPlugins } from "./plugins.js";
import { publishedIndex, publishedRows } from "./published.js";
import { type Listener, Runner } from "./run.js";
import { thread } from "./thread.js";

const HIDDEN = "The tab was in the background: what was measured then is measured again.";
const SOFTWARE =
  "This is a software adapter: a CPU runs the kernels. Rates are that CPU’s and no GPU’s; counters are the kernels’ own.";
const WALL =
  "This browser gives no GPU timestamps. Passes are timed by the page’s own clock, from submission to completion; the rows say so (clock=wall).";

const runButton = byId("run", HTMLButtonElement);
const stopButton = byId("stop", HTMLButtonElement);
const firstButton = byId("first", HTMLButtonElement);
const notes = byId("notes", HTMLElement);
const figures = new Map<string, Figure>();
/** Rows that no file was made of. */
let unsaved = false;
const beside = byId("published", HTMLSelectElement);

const runner = new Runner(
  () => thread(new URL("worker.js", import.meta.url)),
  attention((hidden) => {
    if (hidden && !stopButton.hidden) note(HIDDEN);
  }),
);

function message(text: string): void {
  byId("messages", HTMLElement).append(element("p", { class: "warning" }, text));
}

/** Of the run; each once. */
function note(text: string): void {
  if ([...notes.children].some((line) => line.textContent === text)) return;
  notes.append(element("li", {}, text));
}

/** A problem as a sentence. */
function saying(error: unknown): string {
  const text = messageOf(error);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;
}

function showDevice(device: DeviceInfo): void {
  const { name, subgroupMin: min, subgroupMax: max, clock, features, limits } = device;
  const lanes = max === 0 ? "no subgroups" : min === max ? `subgroups of ${min}` : `subgroups of ${min} to ${max}`;
  const ticks = clock && `${rounded(clock.resolutionNs / 1000, 3)} µs`;
  const times =
    clock?.kind === "wall" ? `no timestamps: wall clock, ${ticks} a pass` : `timestamps in steps of ${ticks}`;
  byId("adapter", HTMLElement).textContent = `${name} · ${lanes} · ${times}`;
  const details = byId("details", HTMLDetailsElement);
  const list = Object.entries(limits).map(([limit, value]) =>
    element("div", {}, element("dt", {}, limit), element("dd", {}, whole(value))),
  );
  const codes = features.flatMap((feature) => [element("code", {}, feature), " "]);
  details.append(element("p", {}, ...codes), element("dl", { class: "limits" }, ...list));
  details.hidden = false;
  if (device.software) note(SOFTWARE);
  if (clock?.kind === "wall") note(WALL);
}

function duration(seconds: number): string {
  if (seconds < 100) return `${Math.max(1, Math.round(seconds))} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${decimals(seconds / 3600, 1)} h`;
}

function range({ from, to }: Range): string {
  return `${duration(from)} to ${duration(to)}`;
}

/** Says how much the choice is, and lets it run where it can. */
function showEstimate(device: DeviceInfo): void {
  const choice = read();
  const running = !stopButton.hidden;
  let text = "Choose at least one experiment.";
  let cells = 0;
  try {
    const planned = choice.experiments.length === 0 ? [] : runner.plan(choice, device);
    cells = planned.reduce((sum, part) => sum + part.cells.length, 0);
    const goesOn = cells > 0 && runner.continues(choice, device);
    const done = goesOn ? (runner.store?.finished.size ?? 0) : 0;
    if (cells > 0) {
      text = `${whole(cells)} cells, ${range(runner.estimate(planned, device).seconds)}.`;
      if (done === cells) text = `All ${whole(cells)} cells are measured.`;
      else if (done > 0) text += ` ${whole(done)} of them are measured.`;
      else if (runner.store?.rows.length)
        text += " A run of another choice replaces the results below: download them before.";
    } else if (choice.experiments.length > 0) text = "None of these experiments has the chosen tables.";
    runButton.textContent = done > 0 ? "Continue" : "Run";
    runButton.disabled = running || cells === 0 || done === cells;
  } catch (error) {
    text = saying(error);
    runButton.disabled = true;
  }
  byId("estimate", HTMLElement).textContent = text;
}

function remember(choice: Choice): void {
  history.replaceState(null, "", `#${toHash(choice)}`);
}

/** Figures of the experiments that have rows, in the order of the registry. */
function showFigures(ids: ReadonlySet<string>, { software }: DeviceInfo): void {
  const rows = (): readonly ResultRow[] => runner.store?.rows ?? [];
  // Figures that are drawn from the rows of others have some of their metrics, or are not shown.
  const shown = experiments.filter(
    (one) => (one.from ?? [one.id]).some((id) => ids.has(id)) && rowsOf(one, rows()).length > 0,
  );
  for (const experiment of shown) {
    if (figures.has(experiment.id)) continue;
    const figure = new Figure(experiment, () => runner.store?.drawn ?? [], software);
    figures.set(experiment.id, figure);
    // The picture has its title in itself.
    const title = element("h3", { class: "hidden" }, experiment.title);
    const article = element("article", { class: "figure", "data-experiment": experiment.id }, title, figure.place);
    byId("plots", HTMLElement).append(article);
    void showBeside(experiment.id);
  }
  byId("figures", HTMLElement).hidden = figures.size === 0;
}

/** Draws the published device that was chosen into the figure of our own. */
async function showBeside(id: string): Promise<void> {
  const figure = figures.get(id);
  const experiment = experiments.find((one) => one.id === id);
  if (!figure || !experiment) return;
  const folder = beside.value;
  const sources = folder === "" ? [] : (experiment.from ?? [id]);
  const rows = (await Promise.all(sources.map((source) => publishedRows(folder, source)))).flat();
  // Else another one was chosen meanwhile.
  if (beside.value === folder) await figure.beside(rows);
}

async function run(device: DeviceInfo): Promise<void> {
  const choice = read();
  remember(choice);
  if (!runner.continues(choice, device)) {
    for (const figure of figures.values()) figure.end();
    figures.clear();
    byId("plots", HTMLElement).replaceChildren();
    clearCells();
  }
  const bar = byId("bar", HTMLProgressElement);
  const working = byId("working", HTMLElement);
  byId("progress", HTMLElement).hidden = false;
  byId("results", HTMLElement).hidden = false;
  runButton.disabled = true;
  stopButton.hidden = false;
  stopButton.focus();
  const began = performance.now();
  const drawn = new Set<string>();
  const listener: Listener = {
    note,
    started(cells, seconds) {
      bar.max = cells;
      bar.value = 0;
      working.textContent = `0 of ${cells}, ${range(seconds)}`;
    },
    working({ experiment, table, op }, phase) {
      working.textContent = `${bar.value} of ${bar.max} · ${experiment} ${table} ${op}: ${phase}`;
    },
    finished(cell) {
      bar.value += 1;
      const left = ((performance.now() - began) / bar.value) * (bar.max - bar.value);
      working.textContent = `${bar.value} of ${bar.max}, about ${duration(left / 1000)} left`;
      const key = cellKey(cell);
      addCell(key, runner.store?.rowsOf(key) ?? []);
      unsaved = true;
      drawn.add(cell.experiment);
      showFigures(drawn, device);
      for (const figure of figures.values()) figure.soon();
    },
  };
  try {
    const ended = await runner.run(choice, listener);
    working.textContent = `${ended ? "Done" : "Stopped"}: ${bar.value} of ${bar.max} cells in ${duration((performance.now() - began) / 1000)}.`;
  } catch (error) {
    working.textContent = `Ended after ${bar.value} of ${bar.max} cells. What was measured stays.`;
    message(saying(error));
  } finally {
    const left = document.activeElement === stopButton;
    stopButton.hidden = true;
    showEstimate(device);
    byId("results", HTMLElement).hidden = !runner.store?.rows.length;
    // A button that is hidden takes the focus with it; one that is disabled takes none.
    if (left) (runButton.disabled ? byId("download", HTMLButtonElement) : runButton).focus();
    await Promise.all([...figures.values()].map((figure) => figure.now()));
    document.body.dataset.ended = String(bar.value);
  }
}

function download(device: DeviceInfo): void {
  const { store } = runner;
  if (!store) return;
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  const folder = `hashbench-${deviceSlug(device.name)}-${stamp}`;
  const url = URL.createObjectURL(new Blob([store.zip(folder)], { type: "application/zip" }));
  element("a", { href: url, download: `${folder}.zip` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  unsaved = false;
}

async function showPublished(): Promise<void> {
  const { devices, report, docs } = await publishedIndex();
  for (const [href, title] of [
    [report, "All results"],
    [docs, "Documentation"],
  ] as const)
    if (href) byId("pages", HTMLElement).append(element("li", {}, element("a", { href }, title)));
  const folders = Object.keys(devices);
  byId("beside", HTMLElement).hidden = folders.length === 0;
  const options = folders.map((folder) => element("option", { value: folder }, folder));
  beside.replaceChildren(element("option", { value: "" }, "no other device"), ...options);
  beside.addEventListener("change", () => {
    for (const id of figures.keys()) void showBeside(id);
  });
}

async function start(): Promise<void> {
  await loadPlugins(false).catch((error: unknown) => message(saying(error)));
  fillForm(experiments);
  clearCells();
  void showPublished();
  let device: DeviceInfo;
  try {
    device = await runner.device();
  } catch (error) {
    byId("adapter", HTMLElement).textContent = "No device.";
    message(saying(error));
    byId("help", HTMLElement).hidden = false;
    byId("choice", HTMLElement).hidden = true;
    return;
  }
  showDevice(device);
  const follow = () => {
    const asked = fromHash(location.hash, experiments);
    // Of the address before.
    byId("messages", HTMLElement).replaceChildren();
    for (const problem of asked?.problems ?? []) message(saying(problem));
    show(asked?.choice ?? firstChoice(device.software), experiments);
    showEstimate(device);
  };
  follow();
  addEventListener("hashchange", follow);
  listen(
    () => {
      const choice = read();
      showTables(choice, experiments);
      remember(choice);
      showEstimate(device);
    },
    () => void run(device),
  );
  firstButton.addEventListener("click", () => {
    const choice = firstChoice(device.software);
    show(choice, experiments);
    remember(choice);
    showEstimate(device);
  });
  stopButton.addEventListener("click", () => runner.stop());
  addEventListener("beforeunload", (event) => {
    if (unsaved) event.preventDefault();
  });
  byId("download", HTMLButtonElement).addEventListener("click", () => download(device));
}

void start();
