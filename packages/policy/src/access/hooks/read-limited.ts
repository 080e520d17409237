import { UnusableAnswer } from './unusable-answer.js';

/** A response's text. Throws `UnusableAnswer` when it is longer than `most` bytes, and what reading it throws. */
export async function readLimited(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body = response.body as AsyncIterable<Uint8Array> | null;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > most) throw new UnusableAnswer(`the answer is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
