/** Errors that tables and data sets throw; what each means for a cell or a command. */

/** The input was wrong. The message says what was wrong and what would be right, in one line. Exit code 2. */
export class UsageError extends Error {
  // Written out: a minifier takes the classes' own names.
  override name = "UsageError";
  readonly code = "ERR_USAGE";
  readonly exitCode = 2;
}

/** Output could not be written, and not because of its name: a full disk, say. One line that says which and why. Exit code 4. */
export class OutputError extends Error {
  override name = "OutputError";
  readonly exitCode = 4;
}

/** A WebGPU error: validation, out of memory, or a lost device. The cell that caused it is a failed row. */
export class GpuError extends Error {
  override name = "GpuError";
  readonly code: string = "ERR_GPU";
}

/** The device was lost: nothing that was made on it works any more. */
export class DeviceLost extends GpuError {
  override name = "DeviceLost";
  override readonly code = "ERR_DEVICE_LOST";
}

/** What a program asks its adapter for where a device binds too little. */
export const BINDING_LIMITS = "limits maxStorageBufferBindingSize and maxBufferSize";

/** A buffer is larger than the device can bind or allocate, or than the host has memory. The cell is skipped, with this reason. */
export class DoesNotFit extends Error {
  override name = "DoesNotFit";
  readonly code = "ERR_DOES_NOT_FIT";
}

/** The device's limits are too small for a kernel. The message says what it needs and what there is; the cell is skipped, with this reason. */
export class Unsupported extends Error {
  override name = "Unsupported";
  readonly code = "ERR_UNSUPPORTED";
  /**
   * @param kernel What runs: a file without its ending.
   * @param lacks Such as "11 storage buffers; this device has 8".
   * @param user The table, and what of its parameters is not their default.
   */
  constructor(
    readonly kernel: string,
    readonly lacks: string,
    readonly user = "",
  ) {
    super(`${user && `${user}: `}${kernel} needs ${lacks}`);
  }
}
