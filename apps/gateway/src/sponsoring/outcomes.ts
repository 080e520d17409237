import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import {
  describeRefusal,
  type ErrorCode,
  ExecutionReply,
  executionReplyChannel,
  type FindReservationMessage,
  ForecourtError,
  type FoundReservation,
  readJsonDto,
  type TransactionEffects,
} from '@forecourt/contracts';
import { LedgerUnreachable } from '@forecourt/ledger';
import { openSubscriber, type RedisConnection } from '@forecourt/runtime/redis';
import {
  DirectReplies,
  type Logger,
  LOGGER,
  type ReadTransaction,
  REDIS,
  ServiceState,
} from '@forecourt/runtime/service';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { subscribeAtStart } from '../redis-outage.js';
import { OutcomeWatch } from './outcome-watch.js';
import { LandedTransactions } from './landed-transactions.js';

/** Replies over pub/sub can be lost, so the stored state is also read, this often. */
const READ_EVERY_MS = 2_000;
/** The ledger has executed the transaction, but the node that serves reads does not show it yet. */
const READ_SOON_MS = 250;
/** Time after which a client may ask again for an unknown outcome. */
const RETRY_AFTER_SECS = 2;
/** Codes that say only that a coin-pool or the ledger cannot answer now. */
const UNREACHABLE: ReadonlySet<ErrorCode> = new Set([
  'STORE_UNREACHABLE',
  'POOL_REFUSED',
  'COIN_POOL_OUTDATED',
  'LEDGER_UNREACHABLE',
  'LEDGER_ANSWER_INVALID',
]);

/**
 * Waits for the outcomes of bound transactions. Executors of other processes publish them on this process's
 * channel; the fallback is the stored state of the reservation, and the ledger for the effects.
 */
@Injectable()
export class Outcomes implements OnApplicationBootstrap, OnApplicationShutdown {
  #subscriber: RedisConnection | null = null;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly state: ServiceState,
    private readonly coinPool: CoinPoolClient,
    private readonly landed: LandedTransactions,
    private readonly direct: DirectReplies,
  ) {}

  /** Names this process to executors. */
  get gateway(): string {
    return this.direct.gateway;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.#subscriber = openSubscriber(this.redis);
    this.#subscriber.on('message', (_channel, text: string) => this.receive(text));
    await subscribeAtStart(this.#subscriber, executionReplyChannel(this.gateway), this.logger);
  }

  onApplicationShutdown(): void {
    this.#subscriber?.disconnect();
  }

  /**
   * Begins to collect the outcomes of a call's transaction. `read`: the transaction, if the call has it. The
   * watch must be closed.
   */
  watch(lookup: FindReservationMessage, read?: ReadTransaction): OutcomeWatch {
    const receive = (reply: ExecutionReply) => watch.receive(reply);
    const close = this.direct.await(lookup.digest, { receive, ...(read && { read }) });
    const watch = new OutcomeWatch(lookup, close);
    return watch;
  }

  /**
   * Returns the effects of a transaction whose reservation was found in this state.
   * Throws REFUSED_BY_LEDGER, RESERVATION_USED, RESERVATION_EXPIRED, RESERVATION_RELEASED, OUTCOME_UNKNOWN,
   * SIGNER_UNREACHABLE, REFUSED_TOO_OFTEN.
   */
  async wait(watch: OutcomeWatch, known: FoundReservation): Promise<TransactionEffects> {
    const { lookup } = watch;
    const { caller, digest } = lookup;
    const { fence } = known;
    if (known.state === 'executed') await this.landed.countRepetition(caller, digest);
    const deadline = performance.now() + this.config.executeWaitMs;
    let found = known;
    for (;;) {
      const effects = await orNullIfUnreachable(this.effectsOf(found, digest, fence));
      if (effects) return effects;
      const left = Math.min(deadline, this.state.answerBy) - performance.now();
      if (left <= 0) break;
      const pause = found.state === 'executed' ? READ_SOON_MS : READ_EVERY_MS;
      const received = await watch.next(fence, Math.min(left, pause));
      if (received) return received;
      const reply = await orNullIfUnreachable(this.coinPool.findReservation(lookup));
      found = reply?.found ?? found;
    }
    if (watch.effects) return watch.effects;
    throw outcomeUnknown(digest);
  }

  /** Passes a reply on to every watch of its digest. */
  receive(text: string): void {
    try {
      this.direct.pass(readJsonDto(ExecutionReply, text));
    } catch (error) {
      this.logger.error({ error: String(error) }, 'invalid execution reply ignored');
    }
  }

  /**
   * The effects, or the error, that follow from the reservation's state; null while the outcome is unknown.
   */
  private async effectsOf(
    { reservationId, state, digest: boundTo, refusal }: FoundReservation,
    digest: string,
    fence: number,
  ): Promise<TransactionEffects | null> {
    if (state === 'claimed' || state === 'executing') return null;
    const isFinal = refusal?.digest === digest && refusal.fence === fence;
    if (state === 'quarantined' && boundTo === digest && !isFinal) return null;
    if (state === 'executed' && boundTo === digest) {
      return (await this.landed.find(digest))?.effects ?? null;
    }
    if (isFinal) throw new ForecourtError('REFUSED_BY_LEDGER', describeRefusal(refusal));
    if (boundTo !== null && boundTo !== digest) {
      throw new ForecourtError('RESERVATION_USED', String(reservationId));
    }
    throw unusedEndOf({ state, reservationId }) ?? outcomeUnknown(digest);
  }
}

/** The refusal by a reservation that has ended without a transaction; null: it has not. */
export function unusedEndOf({
  state,
  reservationId,
}: Pick<FoundReservation, 'state' | 'reservationId'>): ForecourtError | null {
  const id = String(reservationId);
  if (state === 'expired') return new ForecourtError('RESERVATION_EXPIRED', id);
  return state === 'released' ? new ForecourtError('RESERVATION_RELEASED', id) : null;
}

function outcomeUnknown(digest: string): ForecourtError {
  return new ForecourtError('OUTCOME_UNKNOWN', digest, { retryAfterSecs: RETRY_AFTER_SECS });
}

/** An unreachable service says nothing about the transaction: null, and the wait continues. */
async function orNullIfUnreachable<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof LedgerUnreachable) return null;
    if (error instanceof ForecourtError && UNREACHABLE.has(error.code)) return null;
    throw error;
  }
}
