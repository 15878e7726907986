/**
 * What a kernel needs of a device's limits: a pipeline that a device cannot have is refused before it is made, and in words that say what is
 * missing.
 */
export interface Requirements {
  /** Storage buffers that the entry point, or a function that it calls, names. */
  readonly storageBuffers: number;
  /** Of workgroup memory, each variable a multiple of 16, as WebGPU counts. */
  readonly workgroupBytes: number;
  /** Lanes of a workgroup, in x, y and z. */
  readonly lanes: readonly [number, number, number];
}

type Limits = Pick<
  GPUSupportedLimits,
  | "maxStorageBuffersPerShaderStage"
  | "maxComputeWorkgroupStorageSize"
  | "maxComputeInvocationsPerWorkgroup"
  | "maxComputeWorkgroupSizeX"
  | "maxComputeWorkgroupSizeY"
  | "maxComputeWorkgroupSizeZ"
>;

/** What the device lacks for the kernel: "11 storage buffers; this device has 8". "" if it lacks nothing. */
export function lacking({ storageBuffers, workgroupBytes, lanes }: Requirements, limits: Limits): string {
  const [x, y, z] = lanes;
  const wanted = [
    { needs: storageBuffers, has: limits.maxStorageBuffersPerShaderStage, what: "storage buffers" },
    { needs: workgroupBytes, has: limits.maxComputeWorkgroupStorageSize, what: "bytes of workgroup memory" },
    { needs: x * y * z, has: limits.maxComputeInvocationsPerWorkgroup, what: "lanes in a workgroup" },
    { needs: x, has: limits.maxComputeWorkgroupSizeX, what: "lanes in a row of a workgroup" },
    { needs: y, has: limits.maxComputeWorkgroupSizeY, what: "rows in a workgroup" },
    { needs: z, has: limits.maxComputeWorkgroupSizeZ, what: "layers in a workgroup" },
  ];
  const one = wanted.find(({ needs, has }) => needs > has);
  return one ? `${one.needs} ${one.what}; this device has ${one.has}` : "";
}
