/** What the readers of file formats have in common: a table of named columns, read in batches. */

/** Some consecutive rows: for each column asked for, its values. Text, a number, a bigint, … or null, as the format has it. */
export type Batch = readonly ArrayLike<unknown>[];

export interface FileTable {
  readonly columns: readonly string[];
  /** Reads the columns, in the order named. Throws a UsageError where the file is malformed. */
  read(columns: readonly string[]): AsyncIterable<Batch>;
  /** How its text was read, for messages; left out where there is nothing to choose. */
  readonly readAs?: string;
  /** The number of rows, where the file says it in its footer. */
  readonly rows?: number;
  /** The number of rows. Reads a CSV file from end to end. */
  countRows(): Promise<number>;
}
