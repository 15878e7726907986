/** The text of a linked module, cut into functions and declarations: what can be told of a kernel without parsing all of it. */

const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//g;
const FUNCTION = /(?:@\w+(?:\s*\((?:[^(){};]|\([^(){};]*\))*\))?\s*)*\bfn\s+(\w+)[^{]*\{/g;
/** Of a member, whatever else has its name. */
const MEMBER = /\.\s*[a-zA-Z_]\w*/g;
/** Names of parameters, and of what a body declares. */
const LOCAL = /\b(?:let|var|const)\s+(\w+)|[(,]\s*(?:@\w+(?:\([^)]*\))?\s*)*(\w+)\s*:/g;

export interface ModuleText {
  /** What stands outside of functions: constants, types, variables. */
  readonly outside: string;
  /** By a function's name: its attributes, and the names in it that are not its own. */
  readonly functions: ReadonlyMap<string, { readonly attributes: string; readonly names: ReadonlySet<string> }>;
}

export const wordsOf = (text: string): readonly string[] => text.match(/\w+/g) ?? [];

export function textOf(wgsl: string): ModuleText {
  const code = wgsl.replace(COMMENT, "");
  const functions = new Map<string, { attributes: string; names: Set<string> }>();
  let outside = "";
  let end = 0;
  for (const match of code.matchAll(FUNCTION)) {
    const [head, name = ""] = match;
    outside += code.slice(end, match.index);
    end = endOfBlock(code, match.index + head.length);
    const attributes = head.slice(0, head.search(/\bfn\s/));
    const own = code.slice(match.index + attributes.length, end).replace(MEMBER, "");
    const names = new Set(wordsOf(own));
    for (const [, local = "", parameter = ""] of own.matchAll(LOCAL)) names.delete(local || parameter);
    functions.set(name, { attributes, names });
  }
  return { outside: outside + code.slice(end), functions };
}

/** Where the block ends that was opened before `from`. */
function endOfBlock(code: string, from: number): number {
  let depth = 1;
  let at = from;
  for (; depth > 0 && at < code.length; at++) {
    if (code[at] === "{") depth += 1;
    else if (code[at] === "}") depth -= 1;
  }
  return at;
}

/** What the function, and all that it calls, name. */
export function namedFrom(entry: string, functions: ModuleText["functions"]): ReadonlySet<string> {
  const named = new Set([entry]);
  for (const name of named) for (const other of functions.get(name)?.names ?? []) named.add(other);
  return named;
}
