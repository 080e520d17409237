import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findExpense } from '@forecourt/resilience';
import type { ChargedBodies } from './charge-bodies.js';

/** A body is not parsed, because that would cost too much for its length. */
class CostlyBody extends Error {
  readonly statusCode = 400;
  readonly code = 'COSTLY_BODY';
  // Nest answers errors of this name with their status.
  override readonly name = 'FastifyError';
}

type ReadJson = (
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, value?: unknown) => void,
) => void;

/**
 * Reads bodies in JSON, unless that would be expensive; the time counts in the client's share, also if they
 * are refused.
 */
export function readJson(
  server: Pick<FastifyInstance, 'getDefaultJsonParser'>,
  { processor, clientOf }: Pick<ChargedBodies, 'processor' | 'clientOf'>,
): ReadJson {
  const parse = server.getDefaultJsonParser('error', 'error');
  return (request, body, done) => {
    let outcome: [Error | null, unknown?] = [null];
    processor.measure(clientOf(request), () => {
      const text = body.toString();
      const expense = findExpense(text);
      if (expense !== null)
        outcome = [new CostlyBody(`${expense}; send only what the route needs`)];
      // A route that needs a body says so.
      else if (text !== '') void parse(request, text, (...read) => (outcome = read));
    });
    done(...outcome);
  };
}
