import type { FastifyRequest } from 'fastify';
import { PerRequest } from './per-request.js';

/**
 * The transaction and the reservation of a request, as far as it was read: history shows them with its
 * refusal.
 */
export interface RefusedSubject {
  sender?: string;
  sponsor?: string;
  digest?: string;
  /** A reservation of the caller. */
  reservationId?: number;
  /** Base64 bytes. */
  transaction?: string;
  /** Name of the access rule that refuses it. */
  rule?: string;
  /** `writeDecisionFacts`, once the access rules decide about it. */
  facts?: string;
  /** The reservation is bound to the transaction: the pool records what follows. */
  isBound?: boolean;
}

const subjects = new PerRequest<FastifyRequest, RefusedSubject>();

/** The subject of a request's refusal. The handler hands it down, and each step adds what it has read. */
export function refusedSubjectOf(request: FastifyRequest): RefusedSubject {
  const known = subjects.get(request);
  if (known !== undefined) return known;
  const subject = {};
  subjects.set(request, subject);
  return subject;
}
