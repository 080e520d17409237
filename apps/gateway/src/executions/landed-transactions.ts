import { Inject, Injectable } from '@nestjs/common';
import type { FinalTransaction, Ledger } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { consumeOrRefuse } from '../access/rate-limits.js';

const MAX_BYTES = 16 * 2 ** 20;
const KEPT_MS = 600_000;
/** Repeated calls of one caller whose outcome has to be read at a node; a client that has lost its answers needs few. */
const MAX_LOOK_UPS = 1_200;
const WINDOW_SECS = 60;

/**
 * Reads executed transactions, each once while it is kept: repeating a call costs its caller nothing and must not cost a node
 * a read each time.
 */
@Injectable()
export class LandedTransactions implements Pick<Ledger, 'findTransaction'> {
  readonly #found = new LRUCache<string, FinalTransaction>({
    maxSize: MAX_BYTES,
    sizeCalculation: (landed) => JSON.stringify(landed).length,
    ttl: KEPT_MS,
  });
  readonly #running = new Map<string, Promise<FinalTransaction | null>>();
  readonly #lookUps = new RateLimiterMemory({ points: MAX_LOOK_UPS, duration: WINDOW_SECS });

  constructor(@Inject(LEDGER) private readonly ledger: Pick<Ledger, 'findTransaction'>) {}

  /** The transaction's effects if the ledger has executed it, otherwise null. Throws `LedgerUnreachable`. */
  async findTransaction(digest: string): Promise<FinalTransaction | null> {
    const known = this.#found.get(digest);
    if (known) return known;
    const running = this.#running.get(digest);
    if (running) return running;
    const reading = this.read(digest).finally(() => this.#running.delete(digest));
    this.#running.set(digest, reading);
    return reading;
  }

  /** Counts the repetition of a call whose outcome is not kept any more. Throws REFUSED_TOO_OFTEN. */
  async countRepetition(caller: string, digest: string): Promise<void> {
    if (this.#found.has(digest)) return;
    await consumeOrRefuse(this.#lookUps, caller, 'REFUSED_TOO_OFTEN');
  }

  private async read(digest: string): Promise<FinalTransaction | null> {
    const landed = await this.ledger.findTransaction(digest);
    if (landed) this.#found.set(digest, landed);
    return landed;
  }
}
