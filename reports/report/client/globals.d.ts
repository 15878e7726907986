/** The part of vega's runtime, which the page carries, that the scripts use. */
interface VegaView {
  signal(name: string): unknown;
  signal(name: string, value: unknown): VegaView;
  addEventListener(type: string, handler: (event: unknown, item: { datum?: { series?: string } } | null) => void): void;
  runAsync(): Promise<VegaView>;
  finalize(): void;
}

declare const vega: {
  parse(spec: object, config: object, options: object): object;
  textMetrics: { width(item: object, text: string): number };
  View: new (runtime: object, options: object) => VegaView;
};
declare const vegaLite: { compile(spec: object): { spec: object } };
declare const vegaInterpreter: object;

/** One place of a ranking; texts: rate, share, n. */
interface RankedPlace {
  readonly column: number;
  readonly mops: number;
  readonly share: number | null;
  readonly texts: readonly string[];
}

/** HTML of a claim; of each column its cell and how its number was computed. */
interface PackedClaim {
  readonly quote: string;
  /** Why it does not hold; "" where it does, or nobody knows. */
  readonly because: string;
  readonly columns: readonly { readonly cell: string; readonly evidence: string }[];
}

/** Data in the page's elements, by id. */
interface PackedData {
  readonly runtime: string;
  readonly "raw-data": Readonly<Record<string, string>>;
  readonly scores: {
    readonly labels: readonly string[];
    readonly claims: Readonly<Record<string, PackedClaim>>;
  };
  readonly rankings: {
    readonly devices: readonly { readonly slug: string; readonly label: string }[];
    readonly rankings: readonly (readonly RankedPlace[])[];
  };
}

/** Functions of packed.js. */
declare const packed: {
  unpack(element: Element | null): Promise<unknown>;
  read<Id extends keyof PackedData>(id: Id): Promise<PackedData[Id]>;
  readLines(): Promise<{ names: string[]; count: number; line(number: number): string[] }>;
  readCsv(): Promise<string>;
  loadVega(): Promise<void>;
};
declare function disclosure(line: HTMLElement, fill: () => Promise<void>): void;

/** The reader's filters; "" and empty lists where there is no filter. */
interface FilterValues {
  readonly words: readonly string[];
  readonly paper: string;
  readonly table: string;
  readonly verdict: string;
  /** How figures show several devices: "" apart, `rates` or `shares` together. */
  readonly view: string;
  /** Slugs; empty on a page of one device. */
  readonly devices: readonly string[];
}

/** Functions of filters.js. */
declare const filters: {
  listen(listener: (values: FilterValues) => void): void;
  choose(name: string, value: string): void;
  fits(element: HTMLElement, text: string, wanted: FilterValues): boolean;
  counted(shown: number, all: number, one: string, many?: string): string;
};
