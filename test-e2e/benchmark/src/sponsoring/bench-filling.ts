import { setTimeout as delay } from 'node:timers/promises';
import { prepareCoinStore, readPoolTotals } from '@forecourt/coin-store';
import {
  createSponsorKey,
  devnetControl,
  startRedisServer,
  startSystem,
  Watchdog,
} from '@forecourt/testing/system';
import { createIotaLedger, createLocalSigner, MAX_COINS_PER_SPLIT } from '@forecourt/ledger';
import { Redis } from 'ioredis';
import { median, type Row } from '../row.js';
import type { Effort } from './effort.js';

const LOOK_MS = 20;
const COIN = 100_000_000n;
const REFERENCE_SPLITS = 8;

/** Measures the rate at which a new sponsor's pool is filled. */
export async function benchFilling({ say, coins }: Effort): Promise<Row[]> {
  say(`filling a pool of ${coins} coins …`);
  const watchdog = new Watchdog();
  const redis = await startRedisServer({ watchdog });
  const connection = prepareCoinStore(new Redis(redis.url));
  const sponsor = createSponsorKey();
  const available = async () =>
    Number((await readPoolTotals(connection, sponsor.address)).coins.available);
  const stop = new AbortController();
  const watching = watchFilling(available, coins, stop.signal);
  // Reported below, unless the system does not start.
  watching.catch(() => undefined);
  // Twice the coins' balance, for the gas.
  const funds = Array.from({ length: 10 }, () => (BigInt(coins) * COIN) / 5n);
  try {
    const system = await startSystem({
      sponsor,
      sponsorFunds: funds,
      redis: { url: redis.url },
      faults: true,
      env: { POOL_TARGET_COINS: String(coins), POOL_MIN_COINS: String(coins) },
    });
    try {
      const ended = system.processes.map(async (service) => {
        await service.exited();
        throw new Error(`${service.name} ended while the pool was filled`);
      });
      const perSecond = await Promise.race([watching, ...ended]);
      const alone = await splitOneByOne(system.facts.ledgerUrl, system.controlUrl!);
      return [
        {
          what: `filling a pool of ${coins} coins`,
          value: perSecond,
          unit: 'coins/s',
          reference: `one split of ${MAX_COINS_PER_SPLIT} after the other, nothing kept, ${Math.round(alone)} coins/s`,
          ratio: perSecond / alone,
        },
      ];
    } finally {
      await system.stop(10_000);
    }
  } finally {
    stop.abort();
    connection.disconnect();
    await redis.stop();
    watchdog.close();
  }
}

/** Coins per second between the first available coin and the last. */
async function watchFilling(
  available: () => Promise<number>,
  coins: number,
  stopped: AbortSignal,
): Promise<number> {
  let first: { count: number; at: number } | null = null;
  while (!stopped.aborted) {
    const count = await available();
    const time = performance.now();
    if (count > 0) first ??= { count, at: time };
    if (first && count >= coins) return ((count - first.count) * 1_000) / (time - first.at);
    await delay(LOOK_MS);
  }
  return Number.NaN;
}

/** The rate of the ledger and the SDK without a pool. */
async function splitOneByOne(ledgerUrl: string, controlUrl: string): Promise<number> {
  const ledger = createIotaLedger({ urls: [ledgerUrl] });
  const key = createSponsorKey();
  const signer = createLocalSigner(key.secret);
  const amounts = COIN * BigInt(MAX_COINS_PER_SPLIT);
  await devnetControl(controlUrl).mint(key.address, amounts * 2n, REFERENCE_SPLITS);
  const rates: number[] = [];
  for await (const page of ledger.listGasCoins(key.address)) {
    for (const coin of page) {
      const startedAt = performance.now();
      const { bytes } = await ledger.buildSplit({
        sponsor: key.address,
        coins: [coin],
        amount: COIN,
        count: MAX_COINS_PER_SPLIT,
        gasPrice: 1_000n,
        gasBudget: amounts / 2n,
      });
      const signature = await signer.signTransaction(bytes);
      const { kind } = await ledger.submit(bytes, [signature]);
      if (kind !== 'executed') throw new Error(`the split was not executed but ${kind}`);
      rates.push((MAX_COINS_PER_SPLIT * 1_000) / (performance.now() - startedAt));
    }
  }
  return median(rates);
}
