import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  coinPoolPatterns,
  ForecourtError,
  ReconcilePoolMessage,
  type ReconcilePoolReply,
} from '@forecourt/contracts';
import { rememberAnswer } from '@forecourt/resilience';
import { MessageController } from '../messages/message-controller.js';
import { RegisteredSponsors } from '../pool/registered-sponsors.js';
import { PoolRecovery } from './pool-recovery.js';

/** Shorter than a gateway waits. */
const ANSWER_AFTER_MS = 3_000;

/**
 * Compares pools with the ledger when an operator wants it: the message of gateways that needs the upkeep.
 * Any coin-pool may do so beside the leader: a correction applies only to a coin that is still as it was
 * read.
 */
@MessageController()
export class ReconciliationsController {
  /** By sponsor: one at a time, whose result all callers get. */
  readonly #compare = rememberAnswer((sponsor: string) => this.recovery.compare(sponsor));

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
    const result = await Promise.race([this.#compare(sponsor), later]);
    if (result === null) throw suspended();
    return { result: result === 'later' ? null : result };
  }
}

function suspended(): ForecourtError {
  return new ForecourtError(
    'POOL_REFUSED',
    'The pool is suspended; it is compared with the ledger before it serves again',
  );
}
