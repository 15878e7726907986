/** Items whose keys repeat, the queries for them, and the check of what a table answered: repeated.wgsl's host side. */
import { EMPTY, fillStep, groupsFor } from "../../kernels/common/steps.js";
import type { Gpu, Step } from "../../kernels/device/gpu.js";
import type { Answer } from "../../kernels/table.js";
import { type DeviceKeys, digestOf } from "./workload.js";

/** Words of an answer. */
export const ANSWER_WORDS: Readonly<Record<Answer, number>> = { member: 1, id: 1, range: 2 };
const POISON = 0xdeadbeef;
/** Makes another order of the same seed. */
const OTHER_ORDER = 0x5bd1e995;

/** A table that has been built of the items: what of it is checked. */
export interface Answering {
  readonly answers: Answer;
  readonly list?: GPUBuffer;
  /** Writes the answers to n keys. */
  find(lookups: Answers): Promise<unknown>;
}

/** n keys, and room for their answers. */
export interface Answers {
  readonly keys: GPUBuffer;
  readonly results: GPUBuffer;
  readonly n: number;
  /** Words of an answer. */
  readonly words: number;
}

/** Queries of a benchmark. */
export interface Queries extends Answers {
  /** 64-bit digest of the keys and their order. */
  readonly digest: string;
  destroy(): void;
}

/** n items, each key of a data set about equally often, in random order. `renew` before the first use. */
export class RepeatedKeys {
  /** The salt of the values that the items have. */
  private salt = 0;

  private constructor(
    private readonly gpu: Gpu,
    private readonly data: DeviceKeys,
    private readonly seed: number,
    readonly n: number,
    readonly keys: GPUBuffer,
    readonly values: GPUBuffer,
  ) {}

  /** @param data the different keys, at most n. Throws DoesNotFit. */
  static async make(gpu: Gpu, data: DeviceKeys, { n, seed }: { n: number; seed: number }): Promise<RepeatedKeys> {
    const keys = await gpu.alloc(`${n} repeated keys`, n * 4);
    try {
      const values = await gpu.alloc(`${n} values`, n * 4);
      return new RepeatedKeys(gpu, data, seed, n, keys, values);
    } catch (error) {
      keys.destroy();
      throw error;
    }
  }

  /** How many different keys there are. */
  get distinct(): number {
    return this.data.n;
  }

  /** Writes the items anew, with the values of this salt. */
  async renew(salt: number): Promise<void> {
    this.salt = salt;
    await this.gpu.run([await this.step("items", this.n, { 1: this.data.keys, 2: this.keys, 3: this.values })]);
  }

  /** 64-bit digest of the keys and their order, and of those of the data set. */
  async digest(): Promise<string> {
    return this.data.digest + (await digestOf(this.gpu, this.keys, this.n));
  }

  /** Asks for the key of every item, in another order. */
  async queries(answers: Answer): Promise<Queries> {
    const { gpu, n } = this;
    const keys = await gpu.alloc(`${n} queries`, n * 4);
    try {
      await gpu.run([await this.step("queries", n, { 1: this.data.keys, 2: keys })]);
      const digest = await digestOf(gpu, keys, n);
      const room = await this.room(answers, keys, n);
      const destroy = () => {
        keys.destroy();
        room.results.destroy();
      };
      return { ...room, digest, destroy };
    } catch (error) {
      keys.destroy();
      throw error;
    }
  }

  /**
   * Asks for all different keys, for absent ones, and once more for the queries if there are some; checks every answer and
   * the list. "" if all is right, else one line.
   */
  async check(table: Answering, queries: Answers | null): Promise<string> {
    const { data } = this;
    const short = this.shortList(table);
    if (short) return short;
    const own = await this.room(table.answers, data.keys, data.n);
    const absent = await this.room(table.answers, data.absent, data.pool);
    try {
      return (
        (await this.checkOwn(table, own)) ||
        (queries && (await this.checkQueries(table, queries, own))) ||
        (await this.checkAbsent(table, absent))
      );
    } finally {
      own.results.destroy();
      absent.results.destroy();
    }
  }

  destroy(): void {
    this.keys.destroy();
    this.values.destroy();
  }

  /** The list is read up to its end, whatever the table answers: it has to be there. */
  private shortList({ answers, list }: Answering): string {
    if (answers === "member") return "";
    const words = answers === "id" ? this.distinct : this.n;
    const has = list ? list.size / 4 : 0;
    return has >= words ? "" : `the list has room for ${has} words, not for ${words}`;
  }

  private async checkOwn(table: Answering, own: Answers): Promise<string> {
    const { distinct } = this;
    await this.ask(table, own);
    if (table.answers === "range") return this.checkValues(table, own);
    const wrong = await this.checkWords(table, own, "of the different keys");
    if (wrong || table.answers === "member" || !table.list) return wrong;
    const listed = await this.room(table.answers, table.list, distinct);
    try {
      await this.ask(table, listed);
      const step = await this.step("check_listed", distinct, { 5: listed.results }, distinct);
      return await this.verdict(step, distinct, "listed keys have another id than their place", listed);
    } finally {
      listed.results.destroy();
    }
  }

  private async checkQueries(table: Answering, queries: Answers, own: Answers): Promise<string> {
    await this.ask(table, queries);
    if (table.answers !== "range") return this.checkWords(table, queries, "of the queries");
    const step = await this.step("check_range", this.n, { 6: queries.results, 8: own.results });
    return this.verdict(step, this.n, "of the queries are answered with another range than their key", queries);
  }

  private async checkAbsent(table: Answering, absent: Answers): Promise<string> {
    await this.ask(table, absent);
    const words = absent.n * absent.words;
    const step = await this.step("check_absent", words, { 5: absent.results }, words);
    return this.verdict(step, words, "words of answers to absent keys are not EMPTY");
  }

  /** Members, or ids against the list. */
  private async checkWords({ answers, list }: Answering, asked: Answers, which: string): Promise<string> {
    const bindings = answers === "id" && list ? { 4: asked.keys, 7: list } : undefined;
    const entry = bindings ? "check_id" : "check_member";
    const step = await this.step(entry, asked.n, { 5: asked.results, ...bindings }, asked.n);
    return this.verdict(step, asked.n, `${which} are answered wrongly`, asked);
  }

  /** The range of every key against the values that it was given. */
  private async checkValues({ list }: Answering, own: Answers): Promise<string> {
    if (!list) throw new Error("ranges of no list");
    const differences = await this.gpu.alloc("differences", this.distinct * 8);
    const shared = { 8: own.results, 9: differences };
    try {
      await this.gpu.run([await this.step("compare_values", this.n, { ...shared, 7: list })]);
      const step = await this.step("check_values", this.distinct, shared);
      return await this.verdict(step, this.distinct, "keys have a wrong range, or other values in it", own);
    } finally {
      differences.destroy();
    }
  }

  /** Overwrites all answers, so that one which is not written is seen, and asks. */
  private async ask(table: Answering, asked: Answers): Promise<void> {
    await this.gpu.run([await fillStep(this.gpu, asked.results, POISON)]);
    await table.find(asked);
  }

  private async room(answers: Answer, keys: GPUBuffer, n: number): Promise<Answers> {
    const words = ANSWER_WORDS[answers];
    return { keys, n, words, results: await this.gpu.alloc(`${n} answers`, n * words * 4) };
  }

  private async step(entry: string, lanes: number, bindings: Step["bindings"], checked = 0): Promise<Step> {
    const { gpu, n, distinct, seed, salt } = this;
    const kernel = await gpu.kernel({ file: "bench/workload/repeated.wgsl", entry });
    const bits = Math.max(1, Math.ceil(Math.log2(n)));
    const parameters = gpu.uniform([n, distinct, bits, seed, seed ^ OTHER_ORDER, salt, checked]);
    return { kernel, bindings: { 0: parameters, ...bindings }, groups: groupsFor(lanes) };
  }

  /** Runs a check; says how many of `all` it found wrong, and the first of them. */
  private async verdict(step: Step, all: number, what: string, asked?: Answers): Promise<string> {
    const { gpu } = this;
    const verdict = await gpu.alloc("verdict", 16);
    gpu.write(verdict, 0, Uint32Array.of(0, EMPTY));
    await gpu.run([{ ...step, bindings: { ...step.bindings, 10: verdict } }]);
    const [wrong = 0, first = 0] = await gpu.read(verdict, 2);
    verdict.destroy();
    if (wrong === 0) return "";
    const line = `${wrong} of ${all} ${what}, the first number ${first}`;
    if (!asked) return line;
    const { keys, results, words } = asked;
    const [key, answer] = [await gpu.read(keys, 1, first), await gpu.read(results, words, words * first)];
    return `${line} (key ${[...key].map(hex)}, answer ${[...answer].map(hex).join(", ")})`;
  }
}

function hex(word: number): string {
  return `0x${word.toString(16).padStart(8, "0")}`;
}
