/** Conditions of kernel files, as JavaScript of the modules that scripts/wgsl-modules.ts writes. */
import type { AttributeElem, ExpressionElem, HasAttributes, AbstractElem as WeslElem } from "wesl/core";

/** What has a place in the text. */
export type AbstractElem = Exclude<WeslElem, { readonly kind: "synthetic" }>;

/** A condition as JavaScript; true and false where it is known. */
export type Condition = string | boolean;

/** Conditions that are the same in all tables of the library; those of a folder's own kernels, whose parameters its table has in `only`. */
const FIXED: readonly { readonly of: RegExp; readonly always: RegExp; readonly never: RegExp }[] = [
  // Counting variants, tables in the host's memory, ranges as answers; records are of two words.
  { of: /./, always: /^(KEY|VALUE)_4$/, never: /^(COUNT|HOST|RANGES|(KEY|VALUE)_(8|16|32|64))$/ },
  { of: /dycuckoo/, always: /^VOTER$/, never: /^(LOCKS|SWAP)$/ },
  { of: /gph/, always: /^(PERFECT|REQUESTER)$/, never: /^WIDE$/ },
  { of: /slab-hash/, always: /^$/, never: /^(KEYS|ALONE|BUMP|SUPER)$/ },
  { of: /stash/, always: /^(NARROW|BOARD)$/, never: /^REHASH$/ },
];
export const not = (one: Condition): Condition => (typeof one === "string" ? `!(${one})` : !one);

function both(one: Condition, other: Condition, operator: "&&" | "||" = "&&"): Condition {
  const neutral = operator === "&&";
  if (one === neutral) return other;
  if (other === neutral) return one;
  if (one === !neutral || other === !neutral) return !neutral;
  return `(${one} ${operator} ${other})`;
}

function conditionOf(file: string, expression: ExpressionElem): Condition {
  switch (expression.kind) {
    case "literal":
      return expression.value === "true";
    case "ref": {
      const name = expression.ident.originalName;
      const fixed = FIXED.filter(({ of }) => of.test(file));
      if (fixed.some(({ always }) => always.test(name))) return true;
      return fixed.some(({ never }) => never.test(name)) ? false : `on.${name}`;
    }
    case "parenthesized-expression":
      return conditionOf(file, expression.expression);
    case "unary-expression":
      return not(conditionOf(file, expression.expression));
    case "binary-expression": {
      const { operator, left, right } = expression;
      if (operator.value !== "&&" && operator.value !== "||") break;
      return both(conditionOf(file, left), conditionOf(file, right), operator.value);
    }
  }
  throw new Error(`a condition with ${expression.kind}`);
}

/** Whether one of the conditions is true, whatever the host gives. */
export function isCertain(conditions: readonly Condition[]): boolean {
  const any = conditions.join(" || ");
  const names = [...new Set(any.match(/\bon\.\w+/g))];
  const holds = new Function("on", `return ${any}`) as (on: Readonly<Record<string, boolean>>) => boolean;
  return Array.from({ length: 2 ** names.length }).every((_, set) =>
    holds(Object.fromEntries(names.map((name, i) => [name.slice(3), ((set >> i) & 1) === 1]))),
  );
}

/** Elements that follow one another, each with its condition: `@else` goes by those before it. */
export function withConditions<T extends AbstractElem>(
  file: string,
  elems: readonly T[],
): { readonly elem: T; readonly when: Condition }[] {
  let before: Condition = false;
  return elems.map((elem) => {
    for (const { attribute } of (elem as HasAttributes).attributes ?? []) {
      if (attribute.kind === "@if") {
        before = conditionOf(file, attribute.param.expression);
        return { elem, when: before };
      }
      if (attribute.kind === "@elif" || attribute.kind === "@else") {
        const own = attribute.kind === "@else" || conditionOf(file, attribute.param.expression);
        const when = both(not(before), own);
        before = both(before, own, "||");
        return { elem, when };
      }
    }
    return { elem, when: true };
  });
}

export const isCondition = ({ attribute }: AttributeElem) => /^@(if|elif|else)$/.test(attribute.kind);
