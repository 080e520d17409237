const POLYNOMIAL = 0x82f63b78;
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** The checksum of Castagnoli, which Node does not have. */
export function crc32c(bytes: Uint8Array): number {
  let sum = ~0;
  for (const byte of bytes) sum = (sum >>> 8) ^ TABLE[(sum ^ byte) & 0xff]!;
  return ~sum >>> 0;
}
