const POLYNOMIAL = 0x1edc6f41;

/** The CRC32C of RFC 3720, bit by bit. */
export function crc32c(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= reverse(byte, 8) << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ POLYNOMIAL : sum << 1;
  }
  return (reverse(sum >>> 0, 32) ^ 0xffffffff) >>> 0;
}

function reverse(value: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) {
    reversed = (reversed << 1) | (value & 1);
    value >>>= 1;
  }
  return reversed >>> 0;
}
