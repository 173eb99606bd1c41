/** A load tool may send and take longer headers than the 16 kB that are Node's default. */
export const MAX_HEADER_BYTES = 1024 ** 2;
