import type { CoinStoreRedis } from '@forecourt/coin-store';
import {
  type ExecuteTransactionJob,
  type ExecutionOutcome,
  type ExecutionReply,
  executionReplyChannel,
  type Waiter,
} from '@forecourt/contracts';
import type { DecodedTransaction, Ledger, TransactionEffects } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { DirectReplies, type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Inject, Injectable } from '@nestjs/common';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';

/** Sends gateways the replies that no script sends, to that of this process directly. */
@Injectable()
export class Replies {
  readonly #pendingLocal = new Set<Promise<void>>();

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(EXECUTOR_CONFIG) private readonly settings: ExecutorConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly direct: DirectReplies,
  ) {}

  /**
   * Call it once the waiters have the effects: they receive a second reply when the
   * node for reads shows the transaction.
   */
  followUp(job: ExecuteTransactionJob, waiters: readonly Waiter[]): void {
    const waiting = this.sendWhenLocal(job, waiters);
    this.#pendingLocal.add(waiting);
    void waiting.finally(() => this.#pendingLocal.delete(waiting));
  }

  /** Whether requests of this process wait for the transaction. */
  areAwaitedHere(digest: string): boolean {
    return this.direct.isAwaited(digest);
  }

  /** The transaction if a request of this process has decoded exactly these bytes; otherwise null. */
  findRead(digest: string, txBytes: string): DecodedTransaction | null {
    return this.direct.findRead(digest, txBytes);
  }

  /** Sends the effects of an executed transaction, which settling has not sent. */
  sendEffects(
    job: ExecuteTransactionJob,
    waiters: readonly Waiter[],
    effects: TransactionEffects,
  ): Promise<void> {
    return this.send(job, waiters, { kind: 'executed', effects });
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
    await Promise.all(this.#pendingLocal);
  }

  private async sendWhenLocal(job: ExecuteTransactionJob, waiters: readonly Waiter[]) {
    await this.ledger.waitForLocalExecution(job.digest, this.settings.localExecutionWaitMs);
    await this.send(job, waiters, { kind: 'local' });
  }

  /** A reply that cannot be sent is logged: gateways also query the coin-pool. */
  private async send(
    { reservationId, digest, fence }: ExecuteTransactionJob,
    waiters: readonly Waiter[],
    outcome: ExecutionOutcome,
  ): Promise<void> {
    const reply: ExecutionReply = { reservationId, digest, fence, outcome };
    this.direct.pass(reply);
    const gateways = new Set(waiters.map(({ gateway }) => gateway));
    gateways.delete(this.direct.gateway);
    if (gateways.size === 0) return;
    const text = JSON.stringify(reply);
    try {
      await Promise.all(
        [...gateways].map((gateway) => this.redis.publish(executionReplyChannel(gateway), text)),
      );
    } catch (error) {
      this.logger.warn({ digest, error: String(error) }, 'Reply not sent: Redis did not take it');
    }
  }
}
