/** What can be sampled: a run that measures itself. One that changes its input cannot be declared without a reset. */

export type Sampled = {
  /** Runs once; returns the measured nanoseconds (GPU timestamps, or the clock for CPU tables). */
  sample(): Promise<number>;
} & (
  | { readonly mutates: false }
  | {
      readonly mutates: true;
      /** Undoes what `sample` changed: a submission of its own, awaited, untimed. */
      reset(): Promise<void>;
    }
);
