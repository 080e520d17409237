import { Inject, Injectable } from '@nestjs/common';
import {
  describeRefusal,
  type ErrorCode,
  type FindReservationMessage,
  ForecourtError,
  type FoundReservation,
} from '@forecourt/contracts';
import { LedgerUnreachable } from '@forecourt/ledger';
import { ServiceState } from '@forecourt/runtime/service';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import type { Effects } from './execute-request.js';
import { LandedTransactions } from './landed-transactions.js';
import type { OutcomeWatch } from './outcome-watchers.js';

/** Replies over pub/sub can be lost, so the coin-pool is also asked, this often. */
const ASK_AGAIN_MS = 2_000;
const ASK_AGAIN_SOON_MS = 250;
/** What a client is asked to wait when its outcome is not known yet. */
const RETRY_AFTER_SECS = 2;
/** Codes that say only that a coin-pool or the ledger cannot answer now. */
const UNREACHABLE: ReadonlySet<ErrorCode> = new Set([
  'STORE_UNREACHABLE',
  'POOL_REFUSED',
  'COIN_POOL_OUTDATED',
  'LEDGER_UNREACHABLE',
]);

/** Waits for the outcome of a bound transaction. */
@Injectable()
export class WaitForOutcome {
  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'executeWaitMs'>,
    @Inject(LandedTransactions)
    private readonly landed: Pick<LandedTransactions, 'findTransaction' | 'countRepetition'>,
    @Inject(CoinPoolClient) private readonly coinPool: Pick<CoinPoolClient, 'findReservation'>,
    @Inject(ServiceState) private readonly state: Pick<ServiceState, 'answerBy'>,
  ) {}

  /**
   * `question`: what the coin-pool is asked repeatedly; `known`: what it answered last.
   * Throws REFUSED_BY_LEDGER, RESERVATION_USED, RESERVATION_EXPIRED, OUTCOME_UNKNOWN, REFUSED_TOO_OFTEN.
   */
  async run(
    watch: OutcomeWatch,
    question: FindReservationMessage,
    known: FoundReservation,
  ): Promise<Effects> {
    const { digest, waiter } = question;
    const { fence } = known;
    if (known.state === 'executed') await this.landed.countRepetition(question.caller, digest);
    const deadline = performance.now() + this.config.executeWaitMs;
    let found = known;
    for (;;) {
      const effects = await orNullIfUnreachable(this.effectsOf(found, digest, fence));
      if (effects) return effects;
      const left = Math.min(deadline, this.state.answerBy) - performance.now();
      if (left <= 0) break;
      const pause = found.state === 'executed' ? ASK_AGAIN_SOON_MS : ASK_AGAIN_MS;
      const received = await watch.next(fence, waiter.requestType, Math.min(left, pause));
      if (received?.kind === 'refused')
        throw new ForecourtError('REFUSED_BY_LEDGER', received.message);
      if (received?.kind === 'executed') return received.effects;
      const answer = await orNullIfUnreachable(this.coinPool.findReservation(question));
      found = answer?.found ?? found;
    }
    const late = watch.effects();
    if (late) return late;
    throw outcomeUnknown(digest);
  }

  /** The effects, or the error, that follow from the reservation's state; null while the outcome is unknown. */
  private async effectsOf(
    { reservationId, state, digest: boundTo, refusal }: FoundReservation,
    digest: string,
    fence: number,
  ): Promise<Effects | null> {
    if (state === 'claimed' || state === 'executing') return null;
    const isFinal = refusal?.digest === digest && refusal.fence === fence;
    if (state === 'quarantined' && boundTo === digest && !isFinal) return null;
    if (state === 'executed' && boundTo === digest) {
      return (await this.landed.findTransaction(digest))?.effects ?? null;
    }
    if (isFinal) throw new ForecourtError('REFUSED_BY_LEDGER', describeRefusal(refusal));
    if (boundTo !== null && boundTo !== digest) {
      throw new ForecourtError('RESERVATION_USED', String(reservationId));
    }
    if (state === 'expired') throw new ForecourtError('RESERVATION_EXPIRED', String(reservationId));
    throw outcomeUnknown(digest);
  }
}

function outcomeUnknown(digest: string): ForecourtError {
  return new ForecourtError('OUTCOME_UNKNOWN', digest, { retryAfterSecs: RETRY_AFTER_SECS });
}

/** An unreachable service says nothing about the transaction: null, and the wait goes on. */
async function orNullIfUnreachable<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof LedgerUnreachable) return null;
    if (error instanceof ForecourtError && UNREACHABLE.has(error.code)) return null;
    throw error;
  }
}
