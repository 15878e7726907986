/** The text of a linked module as the parser of wgsl_reflect reads it right. */
import { withConstants } from "../../../kernels/device/constants.js";
import { GpuError } from "../../../kernels/device/errors.js";
import { COMMENT, inOrder } from "../../device/module.js";
import { evaluate } from "./runtime.js";

/** Throws GpuError: what stands on that line is not WGSL that can be explored. */
export function fail(what: string, node: { readonly line: number }): never {
  throw new GpuError(`line ${node.line}: ${what} is not in the subset of WGSL that can be explored`);
}

/** Sizes of arrays as numbers: the parser leaves out those that are no numbers or names of earlier constants. */
function withSizes(wgsl: string, numberOf: (name: string) => number | undefined): string {
  const size = (text: string) =>
    String(
      Math.trunc(
        evaluate<number>(
          `return ${text.replace(/\b(\d\w*?)u\b/g, "$1").replace(/\b[a-zA-Z_]\w*/g, (name) => String(numberOf(name) ?? name))};`,
        ),
      ),
    );
  return wgsl.replace(
    /(array<[^,<>]*(?:<[^<>]*>)?\s*,)([^<>]+)>/g,
    (_, head: string, text: string) => `${head} ${size(text)}>`,
  );
}

const FLOAT = /\b(?:vec[234][fh]|f32|f16|\d+\.\d*|\d+[fh])\b/;

/** Constants as overrides, and in functions as values: the parser computes constants, and divides as floats do. */
function unfolded(wgsl: string): string {
  let depth = 0;
  return wgsl.replace(/[{}]|\bconst\b/g, (text) => {
    if (text !== "const") depth += text === "{" ? 1 : -1;
    else return depth > 0 ? "let" : "override";
    return text;
  });
}

/**
 * Types come first, each before what it is part of: the parser takes a name that it does not know for one of floats. All of them stand
 * before the first line, and lines stay where they are.
 */
function typesFirst(wgsl: string): string {
  const declared = new Map<string, string>();
  const rest = wgsl.replace(/^\s*(?:alias\s+(\w+)\s*=[^;]*;|struct\s+(\w+)\s*\{[^}]*\})/gm, (text, alias, struct) => {
    declared.set(alias ?? struct, text.replace(/\/\/.*/g, "").replace(/\s+/g, " "));
    return text.replace(/[^\n]+/g, "");
  });
  return inOrder(declared, declared.keys()).join(" ") + rest;
}

/**
 * The module with values for its overrides, and with numbers for the sizes of its arrays. Lines stay where they are.
 * @param constantsOf the values of a module's constants
 */
export function prepared(
  wgsl: string,
  constants: Readonly<Record<string, number>>,
  constantsOf: (text: string) => Readonly<Record<string, number>>,
): string {
  const text = withConstants(wgsl, constants).replace(COMMENT, (comment) => comment.replace(/[^\n]/g, " "));
  const float = FLOAT.exec(text);
  if (float) fail(float[0], { line: text.slice(0, float.index).split("\n").length });
  const code = unfolded(typesFirst(text));
  const others = code.split(/(\boverride\b[^;]*;)/).map((part, i) => (i % 2 > 0 ? part : part.replace(/[^\n]/g, "")));
  const values = constantsOf(others.join(""));
  return withSizes(code, (name) => values[name]);
}
