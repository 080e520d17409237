import { JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import type { NodeSession } from './node-session.js';

/** Memory needed to parse a response, as a multiple of its size. */
const PARSING_FACTOR = 2;

/** Reads a response body, counting its memory. Throws -32702 when it exceeds the session's limit. */
export async function readJson(response: Response, session: NodeSession): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  const releases: (() => void)[] = [];
  let bytes = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > session.maxResponseBytes) throw tooBig(session.maxResponseBytes);
      releases.push(session.addMemory(PARSING_FACTOR * chunk.length));
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } finally {
    session.charge(bytes);
    for (const release of releases) release();
  }
}

function tooBig(limit: number): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.responseTooBig,
    `Response is too big: the response of the ledger node exceeds ${limit} bytes; request fewer events`,
  );
}
