import { JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import type { NodeWork } from './node-work.js';

/** Memory of an answer while it is parsed, as a multiple of its bytes. */
const PARSING_FACTOR = 2;

/** Reads a body that may be large for the one it is read for. Throws -32702 when it is larger than it may be. */
export async function readJson(response: Response, work: NodeWork): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  const releases: (() => void)[] = [];
  let bytes = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > work.maxAnswerBytes) throw tooBig(work.maxAnswerBytes);
      releases.push(work.hold(PARSING_FACTOR * chunk.length));
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } finally {
    work.charge(bytes);
    for (const release of releases) release();
  }
}

function tooBig(limit: number): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.responseTooBig,
    `Response is too big: the node's part of it is above ${limit} bytes; ask for fewer events`,
  );
}
