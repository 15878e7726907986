// What an operation of a mixed batch does: MIXED_KINDS of kernels/table.ts.
const INSERT = 0u;
const FIND = 1u;
const ERASE = 2u;
