import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';

/** The transaction and the reservation of a request, as far as it was read: history shows them with its refusal. */
export interface RefusedSubject {
  readonly sender?: string;
  readonly sponsor?: string;
  readonly digest?: string;
  /** A reservation of the caller. */
  readonly reservationId?: number;
  /** Base64 bytes. */
  readonly transaction?: string;
  /** Name of the access rule that refuses it. */
  readonly rule?: string;
  /** The reservation is bound to the transaction: the pool records what follows. */
  readonly isBound?: boolean;
}

const subjects = new WeakMap<FastifyRequest, RefusedSubject>();
const current = new AsyncLocalStorage<RefusedSubject>();

/** Runs the rest of a request, which may add to its subject. */
export function withRefusedSubject<T>(request: FastifyRequest, run: () => T): T {
  const subject = {};
  subjects.set(request, subject);
  return current.run(subject, run);
}

/** Adds to the subject of the current request. */
export function describeRefused(subject: RefusedSubject): void {
  Object.assign(current.getStore() ?? {}, subject);
}

/** The subject of a request; empty before its body is read. */
export function refusedSubjectOf(request: FastifyRequest): RefusedSubject {
  return subjects.get(request) ?? {};
}
