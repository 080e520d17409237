import { checkRedisRestart, openPool, registerSponsor } from '@forecourt/coin-store';
import { ForecourtError } from '@forecourt/contracts';
import type { PoolParts } from './pool-parts.js';

/** What the gate asks of the server it meets. */
interface MetServer {
  readonly runId: string;
  /** Whether what it was told last may be lost. */
  readonly mayForget: boolean;
}

type GateParts = Pick<PoolParts, 'redis' | 'signers' | 'settings' | 'logger' | 'state'> & {
  readonly inspect: () => Promise<MetServer>;
  /** A cluster may lose a master without a break of ours: it is looked at again after so many ms. */
  readonly lookAgainMs: number;
};

/**
 * Stands before everything that hands coins out or signs for them. A connection that broke may have been the server's
 * end: the next one is let through only once the server is known not to have forgotten anything, or coins have been held
 * back long enough and compared with the ledger.
 */
export class ServerGate {
  /** The connection that was let through; counted by its breaks. */
  #passed = -1;
  #passedAt = -Infinity;
  #breaks = 0;
  /** Whether this process knows of a server that had the pools. */
  #hasMet = false;
  #meeting: Promise<void> | null = null;

  constructor(private readonly parts: GateParts) {
    parts.redis.on('close', () => {
      this.#breaks += 1;
    });
  }

  /** Throws POOL_REFUSED while coins are held back. */
  async pass(): Promise<void> {
    const isFresh = performance.now() - this.#passedAt < this.parts.lookAgainMs;
    if (this.isUnbroken && isFresh) return;
    this.#meeting ??= this.meet().finally(() => {
      this.#meeting = null;
    });
    await this.#meeting;
  }

  /**
   * Throws STORE_UNREACHABLE when the connection broke since `pass`. To be asked right before the command, with nothing
   * awaited in between: a command that waits for a connection goes to whatever server answers there.
   */
  assertOpen(): void {
    if (!this.isUnbroken) throw new ForecourtError('STORE_UNREACHABLE');
  }

  private get isUnbroken(): boolean {
    return this.#passed === this.#breaks && this.parts.redis.status === 'ready';
  }

  private async meet(): Promise<void> {
    const { redis, signers, settings, logger, state, inspect } = this.parts;
    const breaks = this.#breaks;
    const { runId, mayForget } = await inspect();
    const wasThere = this.#hasMet;
    let longest = 0;
    for (const { address } of signers) {
      const server = { runId, mayForget, wasThere, holdMs: settings.holdMs };
      if (state.chain !== null) {
        // A server that has forgotten everything has forgotten this too.
        await registerSponsor(redis, address);
        await openPool(redis, address, state.chain);
      }
      longest = Math.max(longest, await checkRedisRestart(redis, address, server));
    }
    this.#hasMet = true;
    if (longest > 0) {
      logger.warn({ runId, forMs: longest }, 'coins are held back: Redis may have forgotten');
      const retryAfterSecs = Math.ceil(longest / 1_000);
      const reason = 'coins are compared with the ledger after a restart of Redis';
      throw new ForecourtError('POOL_REFUSED', reason, { retryAfterSecs });
    }
    this.#passed = breaks;
    this.#passedAt = performance.now();
  }
}
