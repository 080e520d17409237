import { prepareCoinStore, readPoolTotals } from '@forecourt/coin-store';
import { startSystem, type System, type SystemOptions, waitUntil } from '@forecourt/testing/system';
import { Redis } from 'ioredis';
import { LoadProcess } from '../load/load-process.js';
import type { GatewayAccess } from '../load/load-task.js';

const FILLED_MS = 300_000;

/** A whole system with `coins` available coins in its pool, and a process that plays its users. */
export class BenchSystem {
  private constructor(
    readonly system: System,
    readonly load: LoadProcess,
  ) {}

  static async start(options: SystemOptions & { readonly coins: number }): Promise<BenchSystem> {
    const { coins, ...others } = options;
    const system = await startSystem({
      faults: true,
      ...others,
      env: {
        POOL_TARGET_COINS: String(coins),
        POOL_MIN_COINS: String(coins),
        // One caller uses all of the pool.
        RESERVE_MAX_POOL_SHARE: '100',
        RESERVE_MAX_COINS: String(coins),
        RESERVE_MAX_UNUSED_PER_MINUTE: '10000000',
        ...options.env,
      },
    });
    const bench = new BenchSystem(system, new LoadProcess());
    try {
      await untilFilled(system.facts.redisUrl, system.sponsor, coins);
      return bench;
    } catch (error) {
      await bench.stop();
      throw error;
    }
  }

  get gateway(): GatewayAccess {
    return { url: this.system.gatewayUrls[0]!, token: this.system.token };
  }

  get sponsoring(): { kind: 'sponsor'; gateway: GatewayAccess; sponsor: string } {
    return { kind: 'sponsor', gateway: this.gateway, sponsor: this.system.sponsor };
  }

  get direct(): { kind: 'direct'; ledgerUrl: string; controlUrl: string } {
    const { facts, controlUrl } = this.system;
    return { kind: 'direct', ledgerUrl: facts.ledgerUrl, controlUrl: controlUrl! };
  }

  async stop(): Promise<void> {
    this.load.stop();
    await this.system.stop(10_000);
  }
}

async function untilFilled(redisUrl: string, sponsor: string, coins: number): Promise<void> {
  const redis = prepareCoinStore(new Redis(redisUrl));
  const isFilled = async () =>
    (await readPoolTotals(redis, sponsor)).coins.available >= BigInt(coins);
  try {
    await waitUntil(isFilled, { what: `a pool of ${coins} coins`, timeoutMs: FILLED_MS });
  } finally {
    redis.disconnect();
  }
}
