import { BcsReader } from '@iota/bcs';

/**
 * The innermost element is counted once for each list around it, and an enum's index is counted
 * like a length.
 */
const DECLARED_PER_BYTE = 16;

/**
 * Reads untrusted BCS. The SDK allocates as many elements as a length claims before it reads the first: a few
 * bytes could claim gigabytes. This reader bounds the sum of all lengths by the number of bytes.
 */
export class BoundedReader extends BcsReader {
  #left: number;

  constructor(bytes: Uint8Array) {
    super(bytes);
    this.#left = DECLARED_PER_BYTE * bytes.length;
  }

  override readULEB(): number {
    const value = super.readULEB();
    this.#left -= value;
    if (this.#left < 0) throw new Error('declared length exceeds the input');
    return value;
  }
}
