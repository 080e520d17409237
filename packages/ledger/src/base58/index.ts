const ALPHABET = Buffer.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
const DIGITS_PER_STEP = 5;
const STEP = 58 ** DIGITS_PER_STEP;
// Shared by all calls, which are synchronous.
const limbs = new Float64Array(16);
const text = Buffer.alloc(48);

/** Base58 of exactly 32 bytes, five digits per division: an order of magnitude faster than for any length. */
export function encodeBase58(bytes: Uint8Array): string {
  for (let index = 0; index < 16; index++) {
    limbs[index] = bytes[2 * index]! * 256 + bytes[2 * index + 1]!;
  }
  let start = text.length;
  for (let first = 0; first < 16;) {
    let rest = 0;
    for (let index = first; index < 16; index++) {
      const value = rest * 65536 + limbs[index]!;
      const quotient = Math.floor(value / STEP);
      limbs[index] = quotient;
      rest = value - quotient * STEP;
    }
    while (limbs[first] === 0) first++;
    // As an integer of 32 bits, whose remainders are much faster.
    let digits = rest | 0;
    for (let digit = 0; digit < DIGITS_PER_STEP; digit++) {
      if (first === 16 && digits === 0) break;
      const left = (digits / 58) | 0;
      text[--start] = ALPHABET[digits - 58 * left]!;
      digits = left;
    }
  }
  // Every leading zero byte is one `1`.
  for (let zeros = 0; bytes[zeros] === 0; zeros++) text[--start] = ALPHABET[0]!;
  // One flat string: concatenation would keep every piece in memory.
  return text.toString('latin1', start);
}
