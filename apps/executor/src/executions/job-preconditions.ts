import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  PoolTooNew,
  readNetwork,
  requireReadablePool,
} from '@forecourt/coin-store';
import { type Ledger, NodeFailure } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import {
  type Indicator,
  type Logger,
  LOGGER,
  OutageLog,
  REDIS,
  retryUntilAvailable,
} from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';

const LOOK_EVERY_MS = 1_000;

/**
 * Without them, this executor leaves the jobs to others: each that it took would wait for another attempt.
 */
@Injectable()
export class JobPreconditions implements BeforeApplicationShutdown {
  readonly #stopping = new AbortController();
  readonly #unmet: OutageLog;
  /** The precondition that is not met; null: this executor takes jobs. */
  #problem: string | null = 'not examined yet';
  /** Says on which network a node is instead; null: on none that is known. */
  #foreign: string | null = null;

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly signers: Signers,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#unmet = new OutageLog(logger, {
      begins: 'No jobs are taken from the queue',
      goesOn: 'Still no jobs are taken from the queue',
      ends: 'Jobs are taken from the queue',
    });
  }

  get problem(): string | null {
    return this.#problem;
  }

  /** Resolves once this release can read the pool of every sponsor; waits for Redis. Throws `PoolTooNew`. */
  async untilPoolsReadable(): Promise<void> {
    const isOutage = (error: unknown) => !(error instanceof PoolTooNew);
    const outage = { service: 'Redis', isOutage, logger: this.logger };
    for (const { address } of this.signers.configured) {
      await retryUntilAvailable(outage, () => requireReadablePool(this.redis, address));
    }
  }

  /**
   * Resolves once this executor has the key of an open pool, and no node is known to be on another network;
   * or when the service stops.
   */
  async untilMet(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const error = await this.examine().catch((failure: Error) => failure.message);
      this.#problem = error;
      if (error === null) return this.#unmet.end();
      this.#unmet.report({ error });
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * Whether a node is on another network, or was when one answered last: an outage alone is often everyone's.
   */
  async isOnOtherNetwork(): Promise<boolean> {
    try {
      await this.ledger.chainIdentifier();
      this.#foreign = null;
    } catch (error) {
      if (error instanceof NodeFailure && error.isForeign) this.#foreign = error.message;
    }
    return this.#foreign !== null;
  }

  beforeApplicationShutdown(): void {
    this.#stopping.abort();
  }

  private async examine(): Promise<string | null> {
    const sponsors = this.signers.known.map(({ address }) => address);
    if ((await readNetwork(this.redis, sponsors)) === null)
      return `No pool is open of the sponsors whose keys this executor has (${sponsors.join(', ')}): compare SPONSOR_KEYS with the coin-pools`;
    await this.isOnOtherNetwork();
    return this.#foreign;
  }
}

/** Whether this executor takes jobs. */
export function jobsIndicator(preconditions: JobPreconditions): Indicator {
  return {
    name: 'jobs',
    check: async () => {
      if (preconditions.problem !== null) throw new Error(preconditions.problem);
    },
  };
}
