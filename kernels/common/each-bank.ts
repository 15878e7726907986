/** `@each_bank`: an access that a kernel file has once, to `table`, is one to each bank of a table that lies in several (banks.wgsl). */
import { bankName, MAX_BANKS } from "./banks.js";

const LAST = MAX_BANKS - 1;
/** With its condition, a variable or a function whose inner blocks have none. */
const MARKED = /^(?:@if\(([^)\n]*)\) )?@each_bank (@group[^;{]* table:[^;]*;|fn [^{]*\{(?:[^{}]|\{[^{}]*\})*\})/gm;

export interface Bank {
  readonly name: string;
  readonly binding: number;
  readonly number: number;
  /** Of tables that have it beside the first and the last one. */
  readonly condition?: string;
}

/** All that a table may have. The last one has its own name, however many there are. */
export function allBanks(): readonly Bank[] {
  return Array.from({ length: MAX_BANKS }, (_, number) => ({
    name: bankName(number, LAST),
    binding: number === 0 ? 0 : 32 + number,
    number,
    ...(number > 0 && number < LAST && { condition: `BANK_${number + 2}` }),
  }));
}

/**
 * A function that accesses `table`, whose parameter `at` or `bank` says where, as one that chooses one of these banks.
 * WGSL forbids to choose the bank first: "function return type must be a constructible type" for one that returns &bank[at], and select()
 * takes no pointers. A function may take a pointer to a bank, but not the operation: given its number, the driver would have to see
 * that it is constant at every call.
 * @param before Stands before the case of a bank.
 */
export function choosingBank(access: string, banks: readonly Bank[], before = (_: Bank) => ""): string {
  const open = access.indexOf("{");
  const [head, body] = [access.slice(0, open), access.slice(open)];
  const cases = banks.map((bank) => {
    const chosen = bank.number === LAST ? "default" : `case ${bank.number}u`;
    return `${before(bank)}${chosen}: ${body.replace(/\btable\b/g, bank.name)}`;
  });
  return `${head}{ switch ${/\bat\s*:/.test(head) ? "at.bank" : "bank"} { ${cases.join(" ")} } }`;
}

/**
 * A kernel file's text for a table in one buffer, without its statements for banks: by their conditions the linker would put declarations in
 * another order.
 */
export function withoutBanks(text: string): string {
  return text
    .replace(/^ +@if\(BANKED\) .*/gm, "")
    .replace(/^( +)@if\(!BANKED\) /gm, "$1")
    .replace(/^(@if\([^)\n]*\) )?@each_bank /gm, "$1");
}

/** A kernel file's text with its accesses to each bank, under WESL's conditions; lines stay where they are. */
export function withBanks(text: string): string {
  return text.replace(MARKED, (_, when: string | undefined, marked: string) => {
    const under = (...more: string[]) => {
      const all = [...more, ...(when ? [`(${when})`] : [])];
      return all.length > 0 ? `@if(${all.join(" && ")}) ` : "";
    };
    const banks = allBanks();
    if (marked.startsWith("fn ")) {
      const before = ({ condition }: Bank) => (condition ? `@if(${condition}) ` : "");
      const banked = choosingBank(marked.replace(/\s+/g, " "), banks, before);
      return `${under("!BANKED")}${marked} ${under("BANKED")}${banked}`;
    }
    const variables = banks.map(({ name, binding }) =>
      marked.replace("@binding(0)", `@binding(${binding})`).replace(" table:", ` ${name}:`),
    );
    return [marked, ...variables].map((variable) => `${under()}${variable}`).join(" ");
  });
}
