import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { WindowCounter } from '@forecourt/admission';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import {
  describeRefusal,
  type ErrorCode,
  type ExecuteTxOptions,
  type ExecuteTxResponse,
  ExecutionReply,
  executionReplyChannel,
  type FindReservationMessage,
  ForecourtError,
  type FoundReservation,
  readJsonDto,
  type TransactionEffects,
} from '@forecourt/contracts';
import {
  type FinalTransaction,
  type Ledger,
  LedgerUnreachable,
  type TransactionPart,
} from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { openSubscriber, type RedisConnection } from '@forecourt/runtime/redis';
import { type Logger, LOGGER, REDIS, ServiceState } from '@forecourt/runtime/service';
import { LRUCache } from 'lru-cache';
import { consumeOrRefuse } from '../access/caller-limits.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { subscribeAtStart } from '../redis-outage.js';
import { TOO_MANY_REJECTED } from './refusal-limit.js';

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

/** Collects the executors' replies about one transaction for one request. */
export class OutcomeWatch {
  #effects: TransactionEffects | null = null;
  /** The node that serves reads shows the transaction. */
  #isLocal = false;
  /** Fence of a claim → the ledger's refusal of it. */
  readonly #refusals = new Map<number, string>();
  /** Fence of a claim → when the sponsor's key, which cannot sign it at the moment, may be asked again. */
  readonly #unsigned = new Map<number, number>();
  /** Whether a reply has arrived that `nextReply` has not reported. */
  #hasNews = false;
  #wakeSleeper: (() => void) | null = null;

  constructor(
    readonly asked: FindReservationMessage,
    readonly close: () => void,
  ) {}

  receive({ outcome, reservationId, fence }: ExecutionReply): void {
    if (outcome.kind === 'executed') this.#effects = outcome.effects;
    if (outcome.kind === 'local') this.#isLocal = true;
    // An executed transaction is executed for every reservation; a refusal concerns one reservation only.
    const isOwn = reservationId === this.asked.reservationId;
    if (outcome.kind === 'refused' && isOwn) this.#refusals.set(fence, outcome.message);
    if (outcome.kind === 'unsigned' && isOwn) this.#unsigned.set(fence, outcome.retryAfterSecs);
    this.#hasNews = true;
    this.wake();
  }

  /** Ends the current wait. */
  wake(): void {
    this.#wakeSleeper?.();
  }

  /** The effects, if they have arrived, whether or not the request waits for a node as well. */
  get effects(): TransactionEffects | null {
    return this.#effects;
  }

  /**
   * Returns the effects as soon as the request's wait for them ends, or null after `waitMs`.
   * Throws REFUSED_BY_LEDGER as soon as the claim with this fence is refused, and SIGNER_UNREACHABLE as soon as it cannot be
   * signed.
   */
  async next(fence: number, waitMs: number): Promise<TransactionEffects | null> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const refusal = this.#refusals.get(fence);
      if (refusal !== undefined) throw new ForecourtError('REFUSED_BY_LEDGER', refusal);
      const isAnyNodeEnough = this.asked.waiter.requestType === 'waitForEffectsCert';
      if (this.#effects && (isAnyNodeEnough || this.#isLocal)) return this.#effects;
      const retryAfterSecs = this.#unsigned.get(fence);
      if (retryAfterSecs !== undefined && !this.#effects) {
        throw new ForecourtError('SIGNER_UNREACHABLE', '', { retryAfterSecs });
      }
      const left = deadline - performance.now();
      if (left <= 0) return null;
      await this.sleep(left);
    }
  }

  /** Resolves after a reply that it has not reported yet, after `wake`, or after `waitMs`. */
  async nextReply(waitMs: number): Promise<void> {
    if (!this.#hasNews) await this.sleep(waitMs);
    this.#hasNews = false;
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wakeSleeper = () => {
        clearTimeout(timer);
        this.#wakeSleeper = null;
        resolve();
      };
    });
  }
}

/** Limits of each cache. */
const CACHED = {
  maxSize: 16 * 2 ** 20,
  sizeCalculation: (value: object) => JSON.stringify(value).length,
  ttl: 600_000,
};
/** Repeated calls of one caller whose outcome has to be read at a node; a client that has lost its answers needs few. */
const MAX_LOOK_UPS = 1_200;
const WINDOW_SECS = 60;
const TOO_OFTEN = ['REFUSED_TOO_OFTEN', 1, TOO_MANY_REJECTED] as const;

type ShownParts = Omit<ExecuteTxResponse, 'effects' | 'error'>;

/** Each part with the option that asks for it and the field that shows it. */
const PARTS: Readonly<
  Record<TransactionPart, readonly [option: keyof ExecuteTxOptions, field: keyof ShownParts]>
> = {
  events: ['showEvents', 'events'],
  objectChanges: ['showObjectChanges', 'object_changes'],
  balanceChanges: ['showBalanceChanges', 'balance_changes'],
  input: ['showInput', 'input'],
};

/** The parts of a transaction that a request asks for besides the effects. */
export function partsOf(options: ExecuteTxOptions | null | undefined): readonly TransactionPart[] {
  const parts = Object.keys(PARTS) as TransactionPart[];
  return parts.filter((part) => options?.[PARTS[part][0]] === true);
}

/**
 * Reads executed transactions from the ledger, each once while it is cached: repeating a call costs its caller nothing and must
 * not cost a node a read each time.
 */
@Injectable()
export class LandedTransactions {
  readonly #landed = new LRUCache<string, FinalTransaction>({
    ...CACHED,
    ignoreFetchAbort: true,
    fetchMethod: async (digest) => (await this.ledger.findTransaction(digest)) ?? undefined,
  });
  readonly #parts = new LRUCache<string, ShownParts>(CACHED);
  readonly #repetitions = WindowCounter.inProcess({ most: MAX_LOOK_UPS, seconds: WINDOW_SECS });
  /** Look-ups that found nothing. Any caller can cause them, and each costs a node a read. */
  readonly #misses: WindowCounter;

  constructor(
    @Inject(LEDGER)
    private readonly ledger: Pick<Ledger, 'findTransaction' | 'readTransactionParts'>,
    @Inject(GATEWAY_CONFIG) { maxRefusedExecutions }: Pick<GatewayConfig, 'maxRefusedExecutions'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {
    this.#misses = WindowCounter.inProcess({ most: maxRefusedExecutions, seconds: WINDOW_SECS });
  }

  /** The transaction if the ledger has executed it, otherwise null. Throws `LedgerUnreachable`. */
  async find(digest: string): Promise<FinalTransaction | null> {
    return (await this.#landed.fetch(digest)) ?? null;
  }

  /** As `find`, for a transaction that has left no trace here. Throws `refusal` if it has not landed, and REFUSED_TOO_OFTEN. */
  async findOrRefuse(
    caller: string,
    digest: string,
    refusal: ForecourtError,
  ): Promise<FinalTransaction> {
    // `RefusalLimit` counts transactions that the ledger refuses.
    const isCounted = refusal.code !== 'REFUSED_BY_LEDGER';
    if (isCounted) await consumeOrRefuse(this.#misses, caller, ...TOO_OFTEN);
    const landed = await this.find(digest);
    if (!landed) throw refusal;
    if (isCounted) await this.#misses.giveBack(caller);
    return landed;
  }

  /** Counts the repetition of a call whose outcome is no longer cached. Throws REFUSED_TOO_OFTEN. */
  async countRepetition(caller: string, digest: string): Promise<void> {
    if (this.#landed.has(digest)) return;
    await consumeOrRefuse(this.#repetitions, caller, ...TOO_OFTEN);
  }

  /** Reads all parts in one call. Never throws, because the transaction is executed already: parts that cannot be read are null. */
  async readParts(digest: string, parts: readonly TransactionPart[]): Promise<ShownParts> {
    const key = `${digest} ${parts.join()}`;
    const known = this.#parts.get(key);
    if (known) return known;
    const read = await this.ledger.readTransactionParts(digest, parts).catch((cause: unknown) => {
      this.logger.warn({ digest, cause: String(cause) }, 'parts of a transaction not read');
      return null;
    });
    const shown: ShownParts = Object.fromEntries(
      parts.map((part) => [PARTS[part][1], read?.[part] ?? null]),
    );
    if (parts.every((part) => read?.[part] != null)) this.#parts.set(key, shown);
    return shown;
  }
}

/**
 * Waits for the outcomes of bound transactions. Executors publish them on this process's channel; the fallback is the stored
 * state of the reservation, and the ledger for the effects.
 */
@Injectable()
export class Outcomes implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Names this process to executors. */
  readonly gateway: string = randomUUID();
  /** Emits each reply under its digest; several requests may wait for the same one. */
  readonly #replies = new EventEmitter<Record<string, [ExecutionReply]>>().setMaxListeners(0);
  #subscriber: RedisConnection | null = null;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'executeWaitMs'>,
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly state: ServiceState,
    private readonly coinPool: CoinPoolClient,
    private readonly landed: LandedTransactions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.#subscriber = openSubscriber(this.redis);
    this.#subscriber.on('message', (_channel, text: string) => this.receive(text));
    await subscribeAtStart(this.#subscriber, executionReplyChannel(this.gateway), this.logger);
  }

  onApplicationShutdown(): void {
    this.#subscriber?.disconnect();
  }

  /** Begins to collect the outcomes of a call's transaction. The watch must be closed. */
  watch(asked: FindReservationMessage): OutcomeWatch {
    const { digest } = asked;
    const watch = new OutcomeWatch(asked, () => this.#replies.off(digest, receive));
    const receive = (reply: ExecutionReply) => watch.receive(reply);
    this.#replies.on(digest, receive);
    return watch;
  }

  /**
   * Returns the effects of a transaction whose reservation was found in this state.
   * Throws REFUSED_BY_LEDGER, RESERVATION_USED, RESERVATION_EXPIRED, RESERVATION_RELEASED, OUTCOME_UNKNOWN,
   * SIGNER_UNREACHABLE, REFUSED_TOO_OFTEN.
   */
  async wait(watch: OutcomeWatch, known: FoundReservation): Promise<TransactionEffects> {
    const { asked } = watch;
    const { caller, digest } = asked;
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
      const reply = await orNullIfUnreachable(this.coinPool.findReservation(asked));
      found = reply?.found ?? found;
    }
    if (watch.effects) return watch.effects;
    throw outcomeUnknown(digest);
  }

  /** Passes a reply on to every watch of its digest. */
  receive(text: string): void {
    try {
      const reply = readJsonDto(ExecutionReply, text);
      this.#replies.emit(reply.digest, reply);
    } catch (error) {
      this.logger.error({ error: String(error) }, 'invalid execution reply ignored');
    }
  }

  /** The effects, or the error, that follow from the reservation's state; null while the outcome is unknown. */
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
