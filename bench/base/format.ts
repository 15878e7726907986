/** Numbers as text, in English: thousands separated, a typographic minus. No other file writes numbers for people. */

/** The nearest number of that many significant digits. */
export function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** With at most `digits` significant digits, never fewer than its integer part has: `0.1235`, `12,345`. */
export function formatNumber(value: number, digits = 4): string {
  const size = Math.abs(value);
  return plain(size >= 10 ** digits ? Math.round(value) : rounded(value, digits));
}

/** With at most `digits` significant digits, and zeros behind them: `12,300`. */
export function significant(value: number, digits = 3): string {
  // 1.095 is a little less in binary, and still rounds up.
  return plain(rounded(value * (1 + Number.EPSILON), digits));
}

/** A whole number, with all its digits. */
export function whole(value: number): string {
  return formatNumber(value, 16);
}

/** With that many decimals: `0.930`. */
export function decimals(value: number, places: number): string {
  return separated(value.toFixed(places));
}

/** `1 run`, `2 runs`. */
export function count(number: number, what: string): string {
  return `${whole(number)} ${what}${number === 1 ? "" : "s"}`;
}

/** The parts that are not empty, as a list. */
export function joined(parts: readonly (string | false | 0 | null | undefined)[], between = ", "): string {
  return parts.filter(Boolean).join(between);
}

/** A share in per cent. */
export function percent(share: number, digits = 3): string {
  return `${formatNumber(100 * share, digits)} %`;
}

/** A change as a share, in per cent and with its sign. */
export function signed(change: number, places = 1): string {
  if (!Number.isFinite(change)) return "from 0";
  return `${change < 0 ? "−" : "+"}${decimals(100 * Math.abs(change), places)} %`;
}

/** 16384 MiB as `16 GiB`. */
export function mebibytes(mib: number): string {
  if (mib >= 2 ** 20) return `${formatNumber(mib / 2 ** 20, 3)} TiB`;
  if (mib >= 1024) return `${formatNumber(mib / 1024, 3)} GiB`;
  return mib < 1 ? `${formatNumber(mib * 1024, 3)} KiB` : `${formatNumber(mib, 3)} MiB`;
}

/** Below this JavaScript writes an exponent. */
const LEAST_PLAIN = 1e-6;

/** No exponent, and twenty decimals at most. */
function plain(value: number): string {
  if (value === 0 || Math.abs(value) >= LEAST_PLAIN) return separated(String(value));
  return separated(value.toFixed(20).replace(/\.?0+$/, ""));
}

function separated(number: string): string {
  const separate = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ",");
  return number.replace(/\d+/, separate).replace(/^-/, "−");
}

/** A tick's label: thousands separated, 12 M for 12,000,000, 10⁻⁴ for 0.0001. */
export function tickLabel(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e12 || size < 1e-4) return scientific(value);
  if (size >= 1e9) return `${formatNumber(value / 1e9)} G`;
  return size >= 1e6 ? `${formatNumber(value / 1e6)} M` : formatNumber(value, 6);
}

function scientific(value: number): string {
  const [mantissa = "", exponent = "0"] = Math.abs(value).toExponential(2).split("e");
  const power = `10${superscript(Number(exponent))}`;
  const factor = Number(mantissa);
  return `${value < 0 ? "−" : ""}${factor === 1 ? power : `${factor}·${power}`}`;
}

function superscript(integer: number): string {
  return String(integer).replace(/./g, (c) => (c === "-" ? "⁻" : ("⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? c)));
}

/** `2¹⁴` for 16384. */
export function powerOfTwo(value: number): string {
  return `2${superscript(Math.round(Math.log2(value)))}`;
}

/** A text's `2^22` as 2²². */
export function withPowers(text: string): string {
  return text.replace(/\b2\^(\d+)/g, (_, exponent: string) => `2${superscript(Number(exponent))}`);
}
