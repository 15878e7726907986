/** Parameters of a table, declared once: what they take, their defaults, and their types in its code. */
import type { Params, Scalar, TableParameter } from "./table.js";

/** What a declaration says beside the values; see `TableParameter`. */
interface About<Value> {
  readonly default: Value;
  readonly meaning: string;
  readonly task?: boolean;
  readonly banksOnly?: boolean;
  readonly size?: boolean;
}

type Unnamed = TableParameter extends infer One ? (One extends unknown ? Omit<One, "name"> : never) : never;

/** A parameter before it has its name; `Value` is the type of its values. */
export type Declaration<Value extends Scalar = Scalar> = Unnamed & { readonly default: Value };

/** One of these values. */
export const oneOf = <const Value extends Scalar>(
  values: readonly Value[],
  about: About<Value>,
): Declaration<Value> => ({ values, ...about });

/** On or off. */
export const flag = (about: About<boolean>): Declaration<boolean> => ({ values: [true, false], ...about });

/** A whole number from `from` to `to`, both included; the default may be another one. */
export const integer = (from: number, to: number, about: About<number>): Declaration<number> => ({
  from,
  to,
  integer: true,
  ...about,
});

/** A number from `from` to `to`, both included; the default may be another one. */
export const real = (from: number, to: number, about: About<number>): Declaration<number> => ({
  from,
  to,
  integer: false,
  ...about,
});

type Declarations = Readonly<Record<string, Declaration>>;
type Values<Own extends Declarations> = {
  readonly [Name in keyof Own]: Own[Name] extends Declaration<infer Value> ? Value : never;
};

/** The parameters of a table, and their typed values. */
export interface Declared<Own extends Declarations> {
  readonly list: readonly TableParameter[];
  /** All parameters, those that are not given with their defaults. Values are taken as they are: `resolve` has checked them. */
  of(given?: Params): Values<Own>;
}

/** The type of a table's parameters: `ParamsOf<typeof parameters>`. */
export type ParamsOf<D> = D extends Declared<infer Own> ? Values<Own> : never;

export function declare<const Own extends Declarations>(own: Own): Declared<Own> {
  const list = Object.entries(own).map(([name, declaration]) => ({ name, ...declaration }) as TableParameter);
  return {
    list,
    of: (given = {}) =>
      Object.fromEntries(list.map((one) => [one.name, given[one.name] ?? one.default])) as Values<Own>,
  };
}
