/** Shorthands in which the papers' folders state their claims. */
import type { Along, Check, Claim, Mean, Select } from "../claims/claim.js";
import type { PaperDevice } from "../papers.js";

/** The claims of one figure, by name: what remains of a claim once experiment and device are said. */
export function figureClaims(
  experiment: string,
  device: PaperDevice,
  claims: Readonly<Record<string, Omit<Claim, "id" | "experiment" | "device">>>,
): Claim[] {
  return Object.entries(claims).map(([name, claim]) => ({ id: `${experiment}:${name}`, experiment, device, ...claim }));
}

/** `of` has at least the rate of `over`: at every point of `by`, or in the mean. */
export function faster(of: Select, over: Select, by: readonly Along[], mean: Mean = "every"): Check {
  return { kind: "ratio", of, over, by, mean, expect: { atLeast: 1 } };
}
