/** The spelling of a file as a data set: `file:<path>?columns=a,b[&as=u32][&delimiter=;][&encoding=latin1][&header=no]`. */
import { UsageError } from "../../kernels/device/errors.js";
import { didYouMean } from "../nearest.js";

export interface FileSpec {
  readonly path: string;
  /** Columns that make the key, in this order. */
  readonly columns: readonly string[];
  /** Whether keys are the columns' hash, or the one column's integers as they are. */
  readonly as: "hash" | "u32";
  readonly text: TextFormat;
}

/** How a CSV file is written. */
export interface TextFormat {
  /** Between fields. */
  readonly delimiter: string;
  /** A label of the Encoding Standard; left out: UTF-16 if the first two bytes tell so, and else UTF-8. */
  readonly encoding?: string;
  /** Whether the first record names the columns, which are numbered from 1 otherwise; left out: it does, unless it has numbers alone. */
  readonly header?: boolean;
}

const USAGE = "write file:<path>?columns=a,b, with &as=u32 to use one integer column as it is";
const OPTIONS = ["columns", "as", "delimiter", "encoding", "header"];

/**
 * Parses what follows `file:`. The options begin at the last `?` and are written as in a URL (`%2C` for a comma in a
 * column's name). Throws a UsageError that says what is missing or misspelt.
 */
export function parseFileSpec(text: string): FileSpec {
  const mark = text.lastIndexOf("?");
  const path = mark < 0 ? text : text.slice(0, mark);
  if (path === "") throw new UsageError(`file: no path given; ${USAGE}`);
  if (mark < 0) throw new UsageError(`file: no columns named for ${path}; ${USAGE}`);

  const options = new Map<string, string>();
  for (const part of text.slice(mark + 1).split("&")) {
    const equals = part.indexOf("=");
    const name = equals < 0 ? part : part.slice(0, equals);
    if (!OPTIONS.includes(name)) {
      throw new UsageError(`file: unknown option "${name}"${didYouMean(name, OPTIONS) || ";"} ${USAGE}`);
    }
    options.set(name, equals < 0 ? "" : part.slice(equals + 1));
  }
  const columns = (options.get("columns") ?? "").split(",").filter((name) => name !== "");
  if (columns.length === 0) throw new UsageError(`file: no columns named for ${path}; ${USAGE}`);
  const as = options.get("as") ?? "hash";
  if (as !== "hash" && as !== "u32") throw new UsageError(`file: as=${as} is neither as=hash nor as=u32`);
  if (as === "u32" && columns.length > 1) {
    throw new UsageError(`file: as=u32 takes one column, not ${columns.length}; without it they are hashed together`);
  }
  return { path, columns: columns.map(decode), as, text: textFormat(path, options) };
}

/** Of TPC's dbgen, and of `hashbench data`: no header, and a bar between fields. */
const isTbl = (path: string) => /\.tbl$/i.test(path);

function textFormat(path: string, options: ReadonlyMap<string, string>): TextFormat {
  const delimiter = decode(options.get("delimiter") ?? (isTbl(path) ? "|" : ","));
  if (delimiter === "") throw new UsageError("file: the delimiter is empty");
  const header = options.get("header") ?? (isTbl(path) ? "no" : undefined);
  if (header !== undefined && header !== "yes" && header !== "no")
    throw new UsageError(`file: header=${header} is neither header=yes nor header=no`);
  const encoding = options.get("encoding");
  if (encoding !== undefined && !isEncoding(encoding))
    throw new UsageError(`file: no encoding "${encoding}"; write utf-8, utf-16le, latin1, windows-1252, shift_jis …`);
  return { delimiter, ...(encoding !== undefined && { encoding }), ...(header && { header: header === "yes" }) };
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label) !== undefined;
  } catch {
    return false;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError(`file: "${text}" is not a well-formed URL component; write a literal % as %25`);
  }
}
