import { expect, test } from "vitest";
import {
  decimals,
  formatNumber,
  percent,
  powerOfTwo,
  rounded,
  signed,
  significant,
  tickLabel,
  whole,
  withPowers,
} from "./format.js";

test("numbers are written as in English, however large or small, with a typographic minus", () => {
  const english = new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 });
  const sizes = Array.from({ length: 40 }, (_, i) => 10 ** (i / 2 - 10)).flatMap((size) => [size, 1.2345678 * size]);
  for (const digits of [1, 3, 4, 6]) {
    for (const value of [0, 999.4999, 999.9999, 1000, ...sizes, ...sizes.map((size) => -size)]) {
      const rounded = Math.abs(value) >= 10 ** digits ? Math.round(value) : Number(value.toPrecision(digits));
      expect(formatNumber(value, digits)).toBe(english.format(rounded).replace("-", "−"));
    }
  }
  expect(formatNumber(-0)).toBe("0");
});

test("powers in texts are written as such", () => {
  expect(withPowers("from 2^22 to 2^9 pairs, s^2")).toBe("from 2²² to 2⁹ pairs, s^2");
});

test("ticks are labelled for people", () => {
  expect([0, 0.25, 16384, 50_000_000, 1e-5, -3].map(tickLabel)).toEqual(["0", "0.25", "16,384", "50 M", "10⁻⁵", "−3"]);
  expect(powerOfTwo(2 ** 20)).toBe("2²⁰");
});

test("digits are of the number, decimals of its fraction", () => {
  expect([rounded(0.123456, 3), rounded(12_345, 3)]).toEqual([0.123, 12_300]);
  expect([significant(12_345, 3), significant(-0.5), significant(1.095)]).toEqual(["12,300", "−0.5", "1.1"]);
  expect(whole(33_554_432)).toBe("33,554,432");
  expect([decimals(0.93, 3), decimals(-1234.5, 2), decimals(2.5, 0)]).toEqual(["0.930", "−1,234.50", "3"]);
  expect([percent(0.12345), percent(1), signed(0.031), signed(-0.5, 0), signed(1 / 0)]).toEqual([
    "12.3 %",
    "100 %",
    "+3.1 %",
    "−50 %",
    "from 0",
  ]);
});
