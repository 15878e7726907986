/** Items whose keys repeat, the queries for them, and the check of what a table answered: repeated.wgsl's host side. */
import type { Bindings } from "../../../kernels/device/gpu.js";
import { type Owner, scoped } from "../../../kernels/device/owned.js";
import type { Answer } from "../../../kernels/table.js";
import { type Check, firstWrong, hex, poison, runOnce } from "./check.js";
import { type DeviceKeys, digestOf } from "./keys.js";

/** Words of an answer. */
export const ANSWER_WORDS: Readonly<Record<Answer, number>> = { member: 1, id: 1, range: 2 };
/** Makes another order of the same seed. */
const OTHER_ORDER = 0x5bd1e995;

/** A table that has been built of the items: what of it is checked. */
interface Answering {
  readonly answers: Answer;
  readonly list?: GPUBuffer;
  /** Writes the answers to n keys. */
  find(lookups: Answers): Promise<unknown>;
}

/** n keys, and room for their answers. */
interface Answers {
  readonly keys: GPUBuffer;
  readonly results: GPUBuffer;
  readonly n: number;
  readonly words: number;
}

/** Queries of a benchmark. */
export interface Queries extends Answers {
  /** 64-bit digest of the keys and their order. */
  readonly digest: string;
}

/** n items, each key of a data set about equally often, in random order. `renew` before the first use. */
export class RepeatedKeys {
  /** The salt of the values that the items have. */
  private salt = 0;

  private constructor(
    private readonly gpu: Owner,
    private readonly data: DeviceKeys,
    private readonly seed: number,
    readonly n: number,
    readonly keys: GPUBuffer,
    readonly values: GPUBuffer,
  ) {}

  /** @param data the different keys, at most n. Throws DoesNotFit. */
  static async make(gpu: Owner, data: DeviceKeys, { n, seed }: { n: number; seed: number }): Promise<RepeatedKeys> {
    const keys = await gpu.alloc(`${n} repeated keys`, n * 4);
    return new RepeatedKeys(gpu, data, seed, n, keys, await gpu.alloc(`${n} values`, n * 4));
  }

  get distinct(): number {
    return this.data.n;
  }

  /** Writes the items anew, with the values of this salt. */
  async renew(salt: number): Promise<void> {
    this.salt = salt;
    const { gpu, n, data, keys, values } = this;
    await runOnce(gpu, n, this.kernel("items", { distinct: data.keys, keys, values }));
  }

  /** 64-bit digest of the keys and their order, and of those of the data set. */
  async digest(): Promise<string> {
    return this.data.digest + (await digestOf(this.gpu, this.keys, this.n));
  }

  /** Asks for the key of every item, in another order. */
  async queries(answers: Answer): Promise<Queries> {
    const { gpu, n } = this;
    const keys = await gpu.alloc(`${n} queries`, n * 4);
    await runOnce(gpu, n, this.kernel("queries", { distinct: this.data.keys, keys }));
    const digest = await digestOf(gpu, keys, n);
    return { ...(await this.room(gpu, answers, keys, n)), digest };
  }

  /**
   * Asks for all different keys, for absent ones, and once more for the queries if there are some; checks every answer and
   * the list. "" if all is right, else one line.
   */
  async check(table: Answering, queries: Answers | null): Promise<string> {
    const { data } = this;
    const short = this.shortList(table);
    if (short) return short;
    return scoped(this.gpu, async (own) => {
      const each = await this.room(own, table.answers, data.keys, data.n);
      const absent = await this.room(own, table.answers, data.absent, data.pool);
      return (
        (await this.checkOwn(table, each)) ||
        (queries && (await this.checkQueries(table, queries, each))) ||
        (await this.checkAbsent(table, absent))
      );
    });
  }

  /** After all keys were erased: none of them is found. "" if so, else one line. */
  async checkErased(table: Answering): Promise<string> {
    const { data } = this;
    return scoped(this.gpu, async (own) =>
      this.checkAbsent(table, await this.room(own, table.answers, data.keys, data.n), "erased"),
    );
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
    const { list } = table;
    return scoped(this.gpu, async (room) => {
      const listed = await this.room(room, table.answers, list, distinct);
      await this.ask(table, listed);
      const wrong = "listed keys have another id than their place";
      return this.verdict("check_listed", distinct, { answers: listed.results }, wrong, listed, distinct);
    });
  }

  private async checkQueries(table: Answering, queries: Answers, own: Answers): Promise<string> {
    await this.ask(table, queries);
    if (table.answers !== "range") return this.checkWords(table, queries, "of the queries");
    const wrong = "of the queries are answered with another range than their key";
    return this.verdict("check_range", this.n, { ranges: queries.results, known: own.results }, wrong, queries);
  }

  private async checkAbsent(table: Answering, absent: Answers, which = "absent"): Promise<string> {
    await this.ask(table, absent);
    const words = absent.n * absent.words;
    const wrong = `words of answers to ${which} keys are not EMPTY`;
    return this.verdict("check_absent", words, { answers: absent.results }, wrong, null, words);
  }

  /** Members, or ids against the list. */
  private async checkWords({ answers, list }: Answering, asked: Answers, which: string): Promise<string> {
    const listed = answers === "id" && list ? { asked: asked.keys, list } : undefined;
    const entry = listed ? "check_id" : "check_member";
    const bindings = { answers: asked.results, ...listed };
    return this.verdict(entry, asked.n, bindings, `${which} are answered wrongly`, asked, asked.n);
  }

  /** The range of every key against the values that it was given. */
  private async checkValues({ list }: Answering, own: Answers): Promise<string> {
    if (!list) throw new Error("ranges of no list");
    return scoped(this.gpu, async (room) => {
      const differences = await room.alloc("differences", this.distinct * 8);
      const shared = { known: own.results, differences };
      await runOnce(room, this.n, this.kernel("compare_values", { ...shared, list }));
      return this.verdict("check_values", this.distinct, shared, "keys have a wrong range, or other values in it", own);
    });
  }

  private async ask(table: Answering, asked: Answers): Promise<void> {
    await poison(this.gpu, asked.results);
    await table.find(asked);
  }

  private async room(gpu: Owner, answers: Answer, keys: GPUBuffer, n: number): Promise<Answers> {
    const words = ANSWER_WORDS[answers];
    return { keys, n, words, results: await gpu.alloc(`${n} answers`, n * words * 4) };
  }

  private kernel(entry: string, bindings: Bindings, checked = 0): Check {
    const { n, distinct, seed, salt } = this;
    const bits = Math.max(1, Math.ceil(Math.log2(n)));
    const plan = { n, distinct, bits, order: seed, query_order: (seed ^ OTHER_ORDER) >>> 0, salt, checked };
    return { file: "bench/scenarios/workload/repeated.wgsl", entry, bound: { plan, ...bindings } };
  }

  /**
   * Runs a check, a lane an item; says how many of the items it found wrong, and the first of them.
   * @param checked Items that the kernel looks at, where it asks for their number.
   */
  private async verdict(
    entry: string,
    lanes: number,
    bindings: Bindings,
    what: string,
    asked: Answers | null,
    checked = 0,
  ): Promise<string> {
    const { gpu } = this;
    const found = await firstWrong(gpu, lanes, this.kernel(entry, bindings, checked));
    if (!found) return "";
    const { count, first } = found;
    const line = `${count} of ${lanes} ${what}, the first number ${first}`;
    if (!asked) return line;
    const { keys, results, words } = asked;
    const [key, answer] = [await gpu.read(keys, 1, first), await gpu.read(results, words, words * first)];
    return `${line} (key ${[...key].map(hex)}, answer ${[...answer].map(hex).join(", ")})`;
  }
}
