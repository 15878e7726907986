/** What can be sampled: a run that measures itself. One that changes its input cannot be declared without a reset. */

export type Between = (ns: number) => Promise<void>;

export type Sampled = {
  /**
   * Runs the operation so many times in one timed pass: once, if left out, and always where the cell does not say that it
   * `repeats`. Returns the measured nanoseconds of one operation (GPU timestamps, or the clock for CPU tables).
   * @param between to be awaited between the passes of a sample that has many, with the nanoseconds of those since the last time (0 before
   * the first): it keeps the device's clocks up
   */
  sample(repetitions?: number, between?: Between): Promise<number>;
  /** A sample is the time of hundreds of passes: one run warms up, and few tell what a long one takes. Default: it is of one pass. */
  readonly ofMany?: boolean;
  /** Its samples are expected to take long: it warms up alone, and the run that does so is one of them if it did. Default: no. */
  readonly long?: boolean;
  /** Its runs are known to differ so little that one long run of many passes is enough. Default: no. */
  readonly steady?: boolean;
  /**
   * Dispatches what a run dispatches, but less of it, so that kernels are compiled and the first run is like those after it. What it
   * changed is undone by `reset`. Default: a whole run does so.
   */
  rehearse?(): Promise<void>;
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
