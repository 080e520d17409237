import { gunzipSync, inflateSync } from 'node:zlib';
import { status } from './grpc-errors.js';
import { UnreadableAnswer } from './unreadable-answer.js';

/** A flag, and the length in four bytes. */
export const PREFIX_BYTES = 5;

export const DECODERS: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
};

const COMPRESSED = 1;

/** Takes the messages out of the bytes of one answer. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes of the next message with its prefix; null until the prefix has arrived. */
  #needed: number | null = null;

  /** `answer`: the name of what is read, for errors. */
  constructor(
    private readonly mostBytes: number,
    private readonly answer = 'answer',
  ) {}

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /** Whether a part of a message is left. */
  get hasRest(): boolean {
    return this.#size > 0;
  }

  /**
   * The next message that has arrived as a whole, otherwise null. Throws `GrpcError` for one that cannot be
   * read.
   */
  next(encoding: string | undefined): Uint8Array | null {
    this.#needed ??= this.readLength();
    if (this.#needed === null || this.#size < this.#needed) return null;
    const all = this.joined();
    const frame = all.subarray(0, this.#needed);
    const rest = all.subarray(this.#needed);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    this.#needed = null;
    const content = frame.subarray(PREFIX_BYTES);
    return frame[0] === COMPRESSED ? this.decode(content, encoding) : content;
  }

  private readLength(): number | null {
    if (this.#size < PREFIX_BYTES) return null;
    const length = this.joined().readUInt32BE(1);
    if (length > this.mostBytes) {
      const message = `${this.answer}: a message of ${length} bytes exceeds ${this.mostBytes}`;
      throw new UnreadableAnswer(status.RESOURCE_EXHAUSTED, message);
    }
    return PREFIX_BYTES + length;
  }

  private joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0]!;
  }

  private decode(content: Buffer, encoding = 'none'): Uint8Array {
    const decoder = DECODERS[encoding];
    if (!decoder)
      throw new UnreadableAnswer(status.INTERNAL, `unknown encoding of a message: ${encoding}`);
    try {
      return decoder(content, { maxOutputLength: this.mostBytes });
    } catch (error) {
      const message = `a message cannot be decompressed: ${(error as Error).message}`;
      throw new UnreadableAnswer(status.INTERNAL, message);
    }
  }
}
