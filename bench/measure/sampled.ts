/** What can be sampled: a run that measures itself. One that changes its input cannot be declared without a reset. */

export type Sampled = {
  /**
   * Runs the operation so many times in one timed pass: once, if left out, and always where the cell does not say that it
   * `repeats`. Returns the measured nanoseconds of one operation (GPU timestamps, or the clock for CPU tables).
   */
  sample(repetitions?: number): Promise<number>;
} & (
  | {
      readonly mutates: false;
      /** Every run does the same work and leaves the same results, whether the pass ends between two of them or not. */
      readonly repeats: boolean;
    }
  | {
      readonly mutates: true;
      /** Undoes what `sample` changed: a submission of its own, awaited, untimed. */
      reset(): Promise<void>;
    }
);
