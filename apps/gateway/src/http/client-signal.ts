import { CLIENT_LEFT } from '@forecourt/json-rpc';
import type { FastifyReply } from 'fastify';

/** A signal that aborts when the client leaves before its answer. */
export function clientSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort(CLIENT_LEFT);
  });
  return left.signal;
}
