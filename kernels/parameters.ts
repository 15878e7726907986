/** Parameters: the one place that knows whether a value is allowed, and what stands where none is given. */
import { didYouMean } from "../datasets/nearest.js";
import { UsageError } from "./device/errors.js";
import type { Parameter, Params, Scalar, TableParameter } from "./table.js";

/** Throws a UsageError of one line, which begins with `whose`, for a name that is not declared or a value that is not allowed. */
export function check(whose: string, declared: readonly Parameter[], given: Params): void {
  for (const [name, value] of Object.entries(given)) {
    const parameter = declared.find((one) => one.name === name);
    if (!parameter) throw new UsageError(`${whose} has no parameter ${name}${suggestion(name, namesOf(declared))}`);
    if (!allows(parameter, value)) {
      throw new UsageError(`${whose}: ${name} is ${shown(value)}; it takes ${takes(parameter)}`);
    }
  }
}

/** A value as messages have it: texts and bigints as a program writes them. */
export const shown = (value: unknown): string =>
  typeof value === "bigint" ? `${value}n` : typeof value === "string" ? JSON.stringify(value) : String(value);

/** `; did you mean ticket? It has ticket, board`, `; it has ticket, board` if none is near, or that it has none. */
export function suggestion(name: string, known: readonly string[]): string {
  const names = [...new Set(known)];
  if (names.length === 0) return "; it has none";
  const near = didYouMean(name, names, "; ");
  return `${near}${near ? " It" : "; it"} has ${names.join(", ")}`;
}

export const namesOf = (declared: readonly Pick<Parameter, "name">[]) => declared.map(({ name }) => name);

/** What a parameter takes, in words: `1, 2, 4, 8`; `a whole number from 2 to 100`. */
export function takes(parameter: Parameter | TableParameter): string {
  const usual = "default" in parameter && !inRange(parameter, parameter.default) ? `${parameter.default}, or ` : "";
  if ("values" in parameter) return usual + parameter.values.join(", ");
  return `${usual}a ${parameter.integer ? "whole " : ""}number from ${parameter.from} to ${parameter.to}`;
}

/** The value that a text stands for: `4`, `false`, `auto`; undefined if it is none that the parameter takes. */
export function parseValue(parameter: Parameter, text: string): Scalar | undefined {
  const candidates = [...("values" in parameter ? parameter.values : []), defaultOf(parameter), Number(text)];
  return candidates.find((value) => value !== undefined && allows(parameter, value) && spells(value, text));
}

function spells(value: Scalar, text: string): boolean {
  return String(value) === text || (typeof value === "number" && text.trim() !== "" && Number(text) === value);
}

function allows(parameter: Parameter, value: Scalar): boolean {
  return value === defaultOf(parameter) || inRange(parameter, value);
}

function inRange(parameter: Parameter, value: Scalar): boolean {
  if ("values" in parameter) return parameter.values.includes(value);
  if (typeof value !== "number" || !(value >= parameter.from && value <= parameter.to)) return false;
  return !parameter.integer || Number.isInteger(value);
}

function defaultOf(parameter: Parameter | TableParameter): Scalar | undefined {
  return "default" in parameter ? parameter.default : undefined;
}
