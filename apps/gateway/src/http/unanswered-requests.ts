import { Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { ServiceState } from '@forecourt/runtime/service';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { answerError } from './answer-error.js';

/**
 * Time after `ServiceState.answerBy`, for handlers that answer at the last moment; their own waits may hang.
 */
const GRACE_MS = 1_000;

/**
 * When the process is about to end, answers the requests whose handlers have not, so that none is cut off.
 */
@Injectable()
export class UnansweredRequests {
  readonly #replies = new Set<FastifyReply>();

  constructor(private readonly state: ServiceState) {}

  attachTo(server: FastifyInstance): void {
    server.addHook('onRequest', (_request, reply, done) => {
      this.#replies.add(reply);
      reply.raw.once('close', () => this.#replies.delete(reply));
      done();
    });
    this.state.onStop(() => {
      const waitMs = this.state.answerBy - performance.now() + GRACE_MS;
      setTimeout(() => this.answerAll(), Math.max(0, waitMs)).unref();
    });
  }

  private answerAll(): void {
    for (const reply of this.#replies) {
      if (!reply.sent) answerError(reply, new ForecourtError('SHUTTING_DOWN'));
    }
  }
}
