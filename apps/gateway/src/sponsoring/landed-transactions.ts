import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type { FinalTransaction, Ledger, TransactionPart } from '@forecourt/ledger';
import { gatewayLimits, TokenBuckets } from '@forecourt/resilience';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { LRUCache } from 'lru-cache';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { TOO_MANY_REJECTED } from './refusal-limit.js';
import { consumeOrRefuse } from '../access/consume-or-refuse.js';
import { PARTS, type ShownParts } from './transaction-parts.js';

/** Limits of each cache. */
const CACHED = {
  maxSize: 16 * 2 ** 20,
  sizeCalculation: (value: object) => JSON.stringify(value).length,
  ttl: 600_000,
};
/**
 * Repeated calls of one caller whose outcome has to be read at a node; a client that has lost its answers
 * needs few.
 */
const MAX_LOOK_UPS = gatewayLimits.lookUpsPerMinute.default;
const WINDOW_SECS = 60;
const TOO_OFTEN = ['REFUSED_TOO_OFTEN', 1, TOO_MANY_REJECTED] as const;

/**
 * Reads executed transactions from the ledger, each once while it is cached: repeating a call costs its
 * caller nothing and must not cost a node a read each time.
 */
@Injectable()
export class LandedTransactions {
  readonly #landed = new LRUCache<string, FinalTransaction>({
    ...CACHED,
    ignoreFetchAbort: true,
    fetchMethod: async (digest) => (await this.ledger.findTransaction(digest)) ?? undefined,
  });
  readonly #parts = new LRUCache<string, ShownParts>(CACHED);
  readonly #repetitions = TokenBuckets.within(WINDOW_SECS, MAX_LOOK_UPS);
  /** Look-ups that found nothing. Any caller can cause them, and each costs a node a read. */
  readonly #misses: TokenBuckets;

  constructor(
    @Inject(LEDGER)
    private readonly ledger: Ledger,
    @Inject(GATEWAY_CONFIG) { maxRefusedExecutions }: GatewayConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#misses = TokenBuckets.within(WINDOW_SECS, maxRefusedExecutions);
  }

  /** The transaction if the ledger has executed it, otherwise null. Throws `LedgerUnreachable`. */
  async find(digest: string): Promise<FinalTransaction | null> {
    return (await this.#landed.fetch(digest)) ?? null;
  }

  /**
   * As `find`, for a transaction that has left no trace here. Throws `refusal` if it has not landed, and
   * REFUSED_TOO_OFTEN.
   */
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
    if (isCounted) this.#misses.giveBack(caller);
    return landed;
  }

  /** Counts the repetition of a call whose outcome is no longer cached. Throws REFUSED_TOO_OFTEN. */
  async countRepetition(caller: string, digest: string): Promise<void> {
    if (this.#landed.has(digest)) return;
    await consumeOrRefuse(this.#repetitions, caller, ...TOO_OFTEN);
  }

  /**
   * Reads all parts in one call. Never throws, because the transaction is executed already: parts that cannot
   * be read are null.
   */
  async readParts(digest: string, parts: readonly TransactionPart[]): Promise<ShownParts> {
    const key = `${digest} ${parts.join()}`;
    const known = this.#parts.get(key);
    if (known) return known;
    const read = await this.ledger.readTransactionParts(digest, parts).catch((cause: unknown) => {
      this.logger.warn({ digest, cause: String(cause) }, 'parts of a transaction not read');
      return null;
    });
    const shownParts: ShownParts = Object.fromEntries(
      parts.map((part) => [PARTS[part][1], read?.[part] ?? null]),
    );
    if (parts.every((part) => read?.[part] != null)) this.#parts.set(key, shownParts);
    return shownParts;
  }
}
