import { Injectable } from '@nestjs/common';
import {
  type ErrorCode,
  type ForecourtError,
  HISTORY_ENTRY_VERSION,
  type RefusedRequest,
  userOfCaller,
} from '@forecourt/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isForSponsoring } from '../access/route-declaration.js';
import { errorAnsweredWith } from '../http/answer-error.js';
import { RefusalStream } from './refusal-stream.js';
import { callerIfAny } from '../access/request-caller.js';
import { refusedSubjectOf } from '../http/refused-subject.js';

/** An execution whose outcome is unknown was accepted: the pool records its outcome. */
const NO_REFUSALS: ReadonlySet<ErrorCode> = new Set(['OUTCOME_UNKNOWN']);
const LONGEST_MESSAGE = 1_000;
/** Longer transactions are left out: a caller can repeat a refused one for free. */
const LONGEST_TRANSACTION = 8_192;

/**
 * Records requests for sponsorship that are refused, for history. Those of an execution that a reservation is
 * bound to are in the pool's record of it.
 */
@Injectable()
export class RefusalRecorder {
  constructor(private readonly stream: RefusalStream) {}

  attachTo(server: FastifyInstance): void {
    server.addHook('onSend', (request, reply, _payload, done) => {
      const error = errorAnsweredWith(reply);
      if (error !== null) this.record(request, error);
      done();
    });
  }

  private record(request: FastifyRequest, error: ForecourtError): void {
    const caller = callerIfAny(request);
    const { url, config } = request.routeOptions;
    const subject = refusedSubjectOf(request);
    if (caller === null || !isForSponsoring(config)) return;
    if (subject.isBound || NO_REFUSALS.has(error.code)) return;
    const { transaction = '' } = subject;
    const refused: RefusedRequest = {
      v: String(HISTORY_ENTRY_VERSION),
      at: String(Date.now()),
      route: `${request.method} ${url}`,
      token: caller.token,
      user: userOfCaller(caller.name) ?? '',
      sender: subject.sender ?? '',
      sponsor: subject.sponsor ?? '',
      status: String(error.status),
      code: error.code,
      message: error.message.slice(0, LONGEST_MESSAGE),
      rule: subject.rule ?? '',
      digest: subject.digest ?? '',
      reservation: String(subject.reservationId ?? ''),
      request: String(request.id),
      transaction: transaction.length > LONGEST_TRANSACTION ? '' : transaction,
      facts: subject.facts ?? '',
    };
    this.stream.add(refused);
  }
}
