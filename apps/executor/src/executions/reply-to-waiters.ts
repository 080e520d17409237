import {
  executionReplyChannel,
  type ExecuteTransactionJob,
  type ExecutionOutcome,
  type ExecutionReply,
  type Waiter,
} from '@forecourt/contracts';
import type { Ledger, TransactionEffects } from '@forecourt/ledger';
import type { Logger } from '@forecourt/runtime/service';
import type { RedisConnection } from '@forecourt/runtime/redis';

/**
 * Tells waiting gateways what became of a transaction. A reply that cannot be sent is logged and left: whoever waits asks
 * again after a while.
 */
export class ReplyToWaiters {
  private readonly waitingForReads = new Set<Promise<void>>();

  constructor(
    private readonly redis: RedisConnection,
    private readonly ledger: Ledger,
    private readonly localExecutionWaitMs: number,
    private readonly logger: Logger,
  ) {}

  /** The effects at once; and, for those who want it, word that the node that serves reads shows them. */
  async executed(
    job: ExecuteTransactionJob,
    waiters: readonly Waiter[],
    effects: TransactionEffects,
  ): Promise<void> {
    await this.send(job, waiters, { kind: 'executed', effects });
    const local = waiters.filter(({ requestType }) => requestType === 'waitForLocalExecution');
    if (local.length === 0) return;
    const waiting = this.tellWhenLocal(job, local);
    this.waitingForReads.add(waiting);
    void waiting.finally(() => this.waitingForReads.delete(waiting));
  }

  /** The ledger's own message. */
  refused(job: ExecuteTransactionJob, waiters: readonly Waiter[], message: string): Promise<void> {
    return this.send(job, waiters, { kind: 'refused', message });
  }

  /** Resolves when every reply under way has been sent. */
  async drain(): Promise<void> {
    await Promise.all(this.waitingForReads);
  }

  private async tellWhenLocal(job: ExecuteTransactionJob, waiters: readonly Waiter[]) {
    await this.ledger.waitForLocalExecution(job.digest, this.localExecutionWaitMs);
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
      this.logger.warn({ digest, error: String(error) }, 'a reply could not be sent');
    }
  }
}
