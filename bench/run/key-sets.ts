/** Data sets on the device, for the cells of a worker. */
import { isForThread, type MadeAhead, type Wanted } from "../../datasets/ahead.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { Owned } from "../../kernels/device/owned.js";
import type { CellSpec } from "../base/experiment.js";
import type { KeyCache } from "../scenarios/benchmark.js";
import { datasetOf } from "../scenarios/bulk-table.js";
import { type DeviceKeys, type loadKeys, poolOf } from "../scenarios/workload/keys.js";

export type Load = typeof loadKeys;

/**
 * Data sets that cells want, and, as far as there is room, those from the host that cells wanted before, as the next experiment
 * may use them. Others that no cell wants any more are freed.
 */
export class KeySets implements KeyCache {
  private readonly sets = new Map<string, Promise<Owned<DeviceKeys>>>();
  /** Sets that no cell wants any more; the one that was wanted last is at the end. */
  private readonly idle = new Map<string, Owned<DeviceKeys>>();

  /** Sets that cells will want and that a thread can make, in the cells' order. */
  private next: readonly Wanted[] = [];
  /** Whether a thread can make them. */
  private readonly forThread = new Map<string, Promise<boolean>>();
  /** Cells that the worker has not been given yet, in their order. */
  soon: readonly CellSpec[] = [];

  /**
   * @param room bytes that data sets which no cell wants may take
   * @param ahead makes data sets before they are wanted
   */
  constructor(
    private readonly gpu: Gpu,
    private readonly load: Load,
    private readonly room: number,
    private readonly ahead?: MadeAhead,
  ) {}

  get(dataset: string, n: number, seed: number, inParts = false): Promise<DeviceKeys> {
    const name = nameOf(dataset, n, seed, inParts && n * 4 > this.gpu.maxBinding);
    const known = this.sets.get(name);
    if (known) return known;
    const kept = this.idle.get(name);
    this.idle.delete(name);
    const made = kept ? Promise.resolve(kept) : this.load(this.gpu, dataset, n, seed, inParts, this.ahead);
    this.next = this.next.filter((one) => nameOf(one.dataset, one.n, one.seed, false) !== name);
    this.ahead?.begin(this.next);
    this.sets.set(name, made);
    // A data set that did not fit may fit for the next cell.
    made.catch(() => this.sets.delete(name));
    return made;
  }

  /**
   * Data sets that only other cells wanted are not used any more.
   * @param begin whether those of these cells are begun ahead: nothing else is to run while the CPU's clock times them
   */
  async keepOnly(cells: readonly CellSpec[], begin = true): Promise<void> {
    const wanted = new Set(
      cells.flatMap(({ dataset, n, seed }) => [false, true].map((inParts) => nameOf(dataset, n, seed, inParts))),
    );
    for (const [name, keys] of this.sets) {
      if (wanted.has(name)) continue;
      this.sets.delete(name);
      const set = await keys;
      if (set.fromHost) this.idle.set(name, set);
      else set.destroy();
    }
    let bytes = [...this.idle.values()].reduce((sum, set) => sum + bytesOf(set), 0);
    for (const [name, set] of this.idle) {
      if (bytes <= this.room) break;
      bytes -= bytesOf(set);
      this.idle.delete(name);
      set.destroy();
    }
    // Between jobs it is not known yet what is wanted next.
    if (cells.length > 0) await this.lookAhead(cells, begin);
  }

  private async lookAhead(cells: readonly CellSpec[], begin: boolean): Promise<void> {
    if (!this.ahead) return;
    if (!begin) this.ahead.pause();
    const wanted = new Map<string, Wanted>();
    for (const cell of [...cells, ...this.soon]) {
      const { n, seed } = cell;
      const one = { dataset: datasetOf(cell), n, seed, absent: poolOf(n) };
      const name = nameOf(one.dataset, n, seed, false);
      if (wanted.has(name) || this.sets.has(name) || this.idle.has(name)) continue;
      const known = this.forThread.get(name) ?? isForThread(one);
      this.forThread.set(name, known);
      if (await known) wanted.set(name, one);
    }
    const sets = [...wanted.values()];
    this.ahead.keep(sets);
    this.next = begin ? sets : [];
    this.ahead.begin(this.next);
  }

  /** Puts cells whose data set is there first: threads get more time for the others. Called after `keepOnly` of these cells. */
  readyFirst<T>(cells: readonly T[], specOf: (cell: T) => CellSpec): T[] {
    const lacking = new Set(
      this.next.filter((set) => this.ahead?.lacks(set)).map(({ dataset, n, seed }) => nameOf(dataset, n, seed, false)),
    );
    const waits = (cell: T) => {
      const spec = specOf(cell);
      return lacking.has(nameOf(datasetOf(spec), spec.n, spec.seed, false));
    };
    return [...cells.filter((cell) => !waits(cell)), ...cells.filter(waits)];
  }

  /** Frees what no cell wants; whether there was any. */
  release(): boolean {
    const any = this.idle.size > 0;
    for (const set of this.idle.values()) set.destroy();
    this.idle.clear();
    return any;
  }
}

function nameOf(dataset: string, n: number, seed: number, inParts: boolean): string {
  return `${dataset} ${n} ${seed} ${inParts ? "in parts" : ""}`;
}

function bytesOf({ keys, absent }: DeviceKeys): number {
  return keys.size + absent.size;
}
