import { Inject, Injectable } from '@nestjs/common';
import {
  type FindReservationMessage,
  ForecourtError,
  type FoundReservation,
} from '@forecourt/contracts';
import { type Ledger, LedgerUnreachable } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { ServiceState } from '@forecourt/runtime/service';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import type { Effects } from './execute-request.js';
import type { OutcomeWatch } from './outcome-watchers.js';

/** Replies over pub/sub can be lost; this often the coin-pool is asked as well. */
const ASK_AGAIN_MS = 2_000;
const ASK_AGAIN_SOON_MS = 250;
/** What a client is asked to wait when its outcome is not known yet. */
const RETRY_AFTER_SECS = 2;

/** Waits for what becomes of a bound transaction; changes nothing. */
@Injectable()
export class WaitForOutcome {
  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'executeWaitMs'>,
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'findTransaction'>,
    @Inject(CoinPoolClient) private readonly coinPool: Pick<CoinPoolClient, 'findReservation'>,
    @Inject(ServiceState) private readonly state: Pick<ServiceState, 'answerBy'>,
  ) {}

  /**
   * `question`: what the coin-pool is asked again; `known`: what it answered last.
   * Throws REFUSED_BY_LEDGER, RESERVATION_USED, RESERVATION_EXPIRED, OUTCOME_UNKNOWN.
   */
  async run(
    watch: OutcomeWatch,
    question: FindReservationMessage,
    known: FoundReservation,
  ): Promise<Effects> {
    const { digest, waiter } = question;
    const { fence } = known;
    const deadline = performance.now() + this.config.executeWaitMs;
    let stands = known;
    for (;;) {
      const effects = await unlessUnreachable(this.effectsOf(stands, digest, fence), null);
      if (effects) return effects;
      const left = Math.min(deadline, this.state.answerBy) - performance.now();
      if (left <= 0) break;
      const pause = stands.state === 'executed' ? ASK_AGAIN_SOON_MS : ASK_AGAIN_MS;
      const heard = await watch.next(fence, waiter.requestType, Math.min(left, pause));
      if (heard?.kind === 'refused') throw new ForecourtError('REFUSED_BY_LEDGER', heard.message);
      if (heard?.kind === 'executed') return heard.effects;
      const answer = await unlessUnreachable(this.coinPool.findReservation(question), null);
      stands = answer?.found ?? stands;
    }
    const late = watch.effects();
    if (late) return late;
    throw outcomeUnknown(digest);
  }

  /** What the reservation's own state tells; null while it tells nothing. */
  private async effectsOf(
    { reservationId, state, digest: boundTo, refusal }: FoundReservation,
    digest: string,
    fence: number,
  ): Promise<Effects | null> {
    if (state === 'claimed' || state === 'executing') return null;
    if (state === 'executed' && boundTo === digest) {
      return (await this.ledger.findTransaction(digest))?.effects ?? null;
    }
    if (refusal && refusal.digest === digest && refusal.fence === fence) {
      throw new ForecourtError('REFUSED_BY_LEDGER', refusal.message);
    }
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

/** What cannot be reached now says nothing about the transaction: the wait goes on. */
async function unlessUnreachable<T>(question: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await question;
  } catch (error) {
    const code = error instanceof ForecourtError ? error.code : null;
    const isUnreachable =
      code === 'STORE_UNREACHABLE' ||
      code === 'COIN_POOL_OUTDATED' ||
      code === 'LEDGER_UNREACHABLE' ||
      error instanceof LedgerUnreachable;
    if (isUnreachable) return otherwise;
    throw error;
  }
}
