/** The module with constants in place of its overrides; lines stay where they are. */
export function withConstants(wgsl: string, constants: Readonly<Record<string, number>>): string {
  return wgsl.replace(
    /\boverride(\s+(\w+)\s*:\s*(\w+)\s*)(=[^;]*)?;/g,
    (text, typed, name: string, type, usual = "") => {
      const given = constants[name];
      if (given === undefined && usual === "") return text;
      return `const${typed}${given === undefined ? usual : `= ${type}(${given})`};`;
    },
  );
}
