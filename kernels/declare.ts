/** Parameters of a table, declared once: what they take, their defaults, and their types in its code. */
/** Value of a parameter. */
export type Scalar = string | number | boolean;

/** What a parameter takes: a value of a list, or a number of a range, both ends included. */
type Allowed =
  | { readonly values: readonly Scalar[] }
  | { readonly from: number; readonly to: number; readonly integer: boolean };

export type Parameter = Allowed & {
  readonly name: string;
  readonly meaning: string;
};

/** The default is allowed, whatever else is. */
export type TableParameter = Parameter & {
  readonly default: Scalar;
  /** Another value is another task, not another way to do it: `hashbench tune` leaves it alone. */
  readonly task?: boolean;
  /** It gives the table's size, as the number of pairs does: `verify` runs the least and the greatest that is timed. */
  readonly size?: boolean;
};

/** Values of parameters, by name. */
export type Params = Readonly<Record<string, Scalar>>;

/** What a declaration says beside the values; see `TableParameter`. */
interface About<Value> {
  readonly default: Value;
  readonly meaning: string;
  readonly task?: boolean;
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

export type Declarations = Readonly<Record<string, Declaration>>;
/** Values of declared parameters. */
export type Values<Own extends Declarations> = {
  readonly [Name in keyof Own]: Own[Name] extends Declaration<infer Value> ? Value : never;
};

/** The parameters of a table, and their typed values. */
export interface Declared<Own extends Declarations> {
  readonly list: readonly TableParameter[];
  /** All parameters, those that are not given with their defaults. Values are taken as they are: `configure` has checked them. */
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

/** For a table that has some of them not, but for its code, which sees these values. */
export function fixed<Own extends Declarations>(
  { list, of }: Declared<Own>,
  values: Partial<Values<Own>>,
): Declared<Own> {
  return {
    list: list.filter(({ name }) => !(name in values)),
    of: (given) => ({ ...of(given), ...values }),
  };
}

/** With other defaults. */
export function preset<Own extends Declarations>(
  { list, of }: Declared<Own>,
  values: Partial<Values<Own>>,
): Declared<Own> {
  const defaults = values as Params;
  return {
    list: list.map((one) => ({ ...one, default: defaults[one.name] ?? one.default })),
    of: (given) => of({ ...defaults, ...given }),
  };
}
