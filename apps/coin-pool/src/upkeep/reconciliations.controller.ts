import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  coinPoolPatterns,
  ForecourtError,
  ReconcilePoolMessage,
  type ReconcilePoolReply,
  type Reconciliation,
} from '@forecourt/contracts';
import { MessageController } from '../messages/message-controller.js';
import { RegisteredSponsors } from '../pool/registered-sponsors.js';
import { PoolRecovery } from './pool-recovery.js';

/** Shorter than a gateway waits. */
const ANSWER_AFTER_MS = 3_000;

/**
 * Compares pools with the ledger when an operator wants it: the message of gateways that needs the upkeep. Any coin-pool may do so
 * beside the leader: a correction applies only to a coin that is still as it was read.
 */
@MessageController()
export class ReconciliationsController {
  /** By sponsor: one at a time, whose result all callers get. */
  readonly #running = new Map<string, Promise<Reconciliation | null>>();

  constructor(
    private readonly recovery: PoolRecovery,
    private readonly registered: RegisteredSponsors,
  ) {}

  /** Throws INVALID_REQUEST, POOL_REFUSED, and the errors of the ledger. */
  @MessagePattern(coinPoolPatterns.reconcilePool)
  async reconcilePool(@Payload() { sponsor }: ReconcilePoolMessage): Promise<ReconcilePoolReply> {
    await this.registered.requireKnown(sponsor);
    if (await this.recovery.isSuspended(sponsor)) throw suspended();
    const later = new Promise<'later'>((resolve) => {
      setTimeout(() => resolve('later'), ANSWER_AFTER_MS).unref();
    });
    const result = await Promise.race([this.begin(sponsor), later]);
    if (result === null) throw suspended();
    return { result: result === 'later' ? null : result };
  }

  private begin(sponsor: string): Promise<Reconciliation | null> {
    const known = this.#running.get(sponsor);
    if (known) return known;
    const running = this.recovery.compare(sponsor).finally(() => this.#running.delete(sponsor));
    this.#running.set(sponsor, running);
    // A caller that has its answer does not wait for a later failure.
    running.catch(() => undefined);
    return running;
  }
}

function suspended(): ForecourtError {
  return new ForecourtError(
    'POOL_REFUSED',
    'The pool is suspended; it is compared with the ledger before it serves again',
  );
}
