/** What the page's scripts use of vega's runtime, which the page carries. */
interface VegaView {
  signal(name: string): unknown;
  signal(name: string, value: unknown): VegaView;
  addEventListener(type: string, handler: (event: unknown, item: { datum?: { series?: string } } | null) => void): void;
  runAsync(): Promise<VegaView>;
  finalize(): void;
}

declare const vega: {
  parse(spec: object): object;
  View: new (runtime: object, options: object) => VegaView;
};

/** Of packed.js. */
declare const packed: {
  unpack(element: Element | null): Promise<string>;
  readCsv(): Promise<string>;
  readRecords(): Promise<Map<number, string[]>>;
};
