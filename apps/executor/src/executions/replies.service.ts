import {
  executionReplyChannel,
  type ExecuteTransactionJob,
  type ExecutionOutcome,
  type ExecutionReply,
  type Waiter,
} from '@forecourt/contracts';
import type { Ledger } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Inject, Injectable } from '@nestjs/common';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';

/**
 * Sends outcomes to the gateways that wait for them. A reply that cannot be sent is logged: gateways also query the
 * coin-pool.
 */
@Injectable()
export class RepliesService {
  private readonly pendingLocal = new Set<Promise<void>>();

  constructor(
    @Inject(REDIS) private readonly redis: Pick<RedisConnection, 'publish'>,
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'waitForLocalExecution'>,
    @Inject(EXECUTOR_CONFIG)
    private readonly settings: Pick<ExecutorConfig, 'localExecutionWaitMs'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Call it once the waiters have the effects, which settling sends: those that requested it receive a second reply
   * when the node for reads shows the transaction.
   */
  followUp(job: ExecuteTransactionJob, waiters: readonly Waiter[]): void {
    const local = waiters.filter(({ requestType }) => requestType === 'waitForLocalExecution');
    if (local.length === 0) return;
    const waiting = this.sendWhenLocal(job, local);
    this.pendingLocal.add(waiting);
    void waiting.finally(() => this.pendingLocal.delete(waiting));
  }

  /** Sends the ledger's own message. */
  sendRefusal(
    job: ExecuteTransactionJob,
    waiters: readonly Waiter[],
    message: string,
  ): Promise<void> {
    return this.send(job, waiters, { kind: 'refused', message });
  }

  /** The transaction stays bound and is tried again, but no caller waits for its sponsor's key. */
  sendUnsigned(
    job: ExecuteTransactionJob,
    waiters: readonly Waiter[],
    retryAfterSecs: number,
  ): Promise<void> {
    return this.send(job, waiters, { kind: 'unsigned', retryAfterSecs });
  }

  /** Resolves when every pending reply has been sent. */
  async untilSent(): Promise<void> {
    await Promise.all(this.pendingLocal);
  }

  private async sendWhenLocal(job: ExecuteTransactionJob, waiters: readonly Waiter[]) {
    await this.ledger.waitForLocalExecution(job.digest, this.settings.localExecutionWaitMs);
    await this.send(job, waiters, { kind: 'local' });
  }

  private async send(
    { reservationId, digest, fence }: ExecuteTransactionJob,
    waiters: readonly Waiter[],
    outcome: ExecutionOutcome,
  ): Promise<void> {
    const reply: ExecutionReply = { reservationId, digest, fence, outcome };
    const text = JSON.stringify(reply);
    const gateways = new Set(waiters.map(({ gateway }) => gateway));
    try {
      await Promise.all(
        [...gateways].map((gateway) => this.redis.publish(executionReplyChannel(gateway), text)),
      );
    } catch (error) {
      this.logger.warn({ digest, error: String(error) }, 'Reply not sent: Redis did not take it');
    }
  }
}
