import {
  type CoinStoreRedis,
  coinStates,
  holderStates,
  type PoolFigures,
  type PoolTotals,
  readDrain,
  readPoolFigures,
} from '@forecourt/coin-store';
import { rememberAnswer } from '@forecourt/resilience';
import { type Figure, type Labels, type Metrics, FRESH_MS } from '@forecourt/runtime/metrics';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { inspectRedis } from '@forecourt/runtime/service';
import type { Signers } from '@forecourt/runtime/signers';
import type { CoinPoolConfig } from '../coin-pool-config.js';

const DURABILITY_FRESH_MS = 15_000;

interface Pool extends PoolFigures {
  readonly isDrained: boolean;
  /** Whether the pool is kept filled. */
  readonly isFilled: boolean;
}
type Rows<Row extends Labels> = (sponsor: string, pool: Pool) => readonly Figure<Row>[];

/** Exports the pools in Redis. Every coin-pool of a fleet exports the same: take the maximum, not the sum. */
export function measurePools(
  metrics: Metrics,
  redis: CoinStoreRedis,
  signers: Signers,
  settings: CoinPoolConfig,
): void {
  const readPool = async (sponsor: string): Promise<Pool> => {
    const { drain } = await readDrain(redis, sponsor);
    const isDrained = drain !== null;
    const figures = await readPoolFigures(redis, sponsor);
    return { ...figures, isDrained, isFilled: signers.isConfigured(sponsor) && !isDrained };
  };
  const pools = rememberAnswer(
    () =>
      Promise.all(
        signers.known.map(async ({ address }) => [address, await readPool(address)] as const),
      ),
    FRESH_MS,
  );
  const show = <Row extends { sponsor: string }>(
    options: {
      readonly name: string;
      readonly help: string;
      readonly labels?: readonly (keyof Row & string)[];
      readonly kind?: 'counter';
    },
    rows: Rows<Row>,
  ): void =>
    metrics.figures<Row>({
      labels: ['sponsor'],
      ...options,
      read: async () => (await pools()).flatMap(([sponsor, pool]) => rows(sponsor, pool)),
    });

  show<{ sponsor: string; state: string }>(
    {
      name: 'pool_coins',
      labels: ['sponsor', 'state'],
      help: 'Coins of the pool by state; their sum is all the sponsor owns.',
    },
    (sponsor, { totals }) =>
      coinStates.map((state) => [{ sponsor, state }, Number(totals.coins[state])]),
  );
  show<{ sponsor: string; state: string }>(
    {
      name: 'pool_balance_smallest_unit',
      labels: ['sponsor', 'state'],
      help: 'Balance of the coins of the pool by state, in the ledger’s smallest unit.',
    },
    (sponsor, { totals }) =>
      coinStates.map((state) => [{ sponsor, state }, Number(totals.balance[state])]),
  );
  show(
    {
      name: 'sponsor_balance_smallest_unit',
      help: 'Balance of all coins of the pool, in any state, in the ledger’s smallest unit: the funds left for gas.',
    },
    (sponsor, { totals }) => [[{ sponsor }, Number(sumOfBalances(totals))]],
  );
  show<{ sponsor: string; at_least: string }>(
    {
      name: 'pool_available_coins',
      labels: ['sponsor', 'at_least'],
      help: 'Available coins by size: each from `at_least` (in the ledger’s smallest unit) to twice that.',
    },
    (sponsor, { sizes }) =>
      sizes.map(({ atLeast, coins }) => [{ sponsor, at_least: String(atLeast) }, coins]),
  );
  show<{ sponsor: string; state: string }>(
    {
      name: 'pool_reservations',
      labels: ['sponsor', 'state'],
      help: 'Reservations with coins by state; executing: transactions whose outcome is not known.',
    },
    (sponsor, { reservations }) =>
      holderStates.map((state) => [{ sponsor, state }, reservations[state]]),
  );
  show<{ sponsor: string; state: string }>(
    {
      name: 'pool_oldest_transaction_age_seconds',
      labels: ['sponsor', 'state'],
      help: 'Age of the oldest transaction in this state; 0 when there is none.',
    },
    (sponsor, { oldestAgeMs }) =>
      (['executing', 'quarantined'] as const).map((state) => [
        { sponsor, state },
        oldestAgeMs[state] / 1_000,
      ]),
  );
  show(
    {
      name: 'pool_smashed_coins_total',
      kind: 'counter',
      help: 'Coins that left the pool: merged into others, or used outside the pool.',
    },
    (sponsor, { totals }) => [[{ sponsor }, Number(totals.smashed)]],
  );
  show(
    {
      name: 'pool_gas_charged_smallest_unit',
      help: 'Total gas paid from this pool, less refunds, in the ledger’s smallest unit.',
    },
    (sponsor, { totals }) => [[{ sponsor }, Number(totals.gasCharged)]],
  );
  show(
    {
      name: 'pool_found_transactions_total',
      kind: 'counter',
      help: 'Sponsored transactions that the ledger has and the pool had no record of: Redis had lost them, or another process uses the sponsor’s key.',
    },
    (sponsor, { totals }) => [[{ sponsor }, Number(totals.found.transactions)]],
  );
  show(
    {
      name: 'pool_found_gas_smallest_unit',
      help: 'Gas of these transactions and of the sponsor’s own that the pool had no record of, in the ledger’s smallest unit; part of pool_gas_charged_smallest_unit.',
    },
    (sponsor, { totals }) => [[{ sponsor }, Number(totals.found.gas)]],
  );
  show(
    {
      name: 'pool_unexplained_smallest_unit',
      help: 'What coins of the pool have lost in transactions that the ledger no longer had, in the ledger’s smallest unit.',
    },
    (sponsor, { totals }) => [[{ sponsor }, Number(totals.found.unexplained)]],
  );
  show(
    {
      name: 'pool_drained',
      help: 'Whether the sponsor is drained (1), so that it gives no reservations, or not (0).',
    },
    (sponsor, { isDrained }) => [[{ sponsor }, Number(isDrained)]],
  );
  show(
    {
      name: 'pool_target_coins',
      help: 'Number of coins that the pool is filled to; 0 while the sponsor is drained or its key is removed.',
    },
    (sponsor, { isFilled }) => [[{ sponsor }, isFilled ? settings.targetCoins : 0]],
  );
  show(
    {
      name: 'pool_min_coins',
      help: 'Number of coins below which the pool is filled again; 0 while the sponsor is drained or its key is removed.',
    },
    (sponsor, { isFilled }) => [[{ sponsor }, isFilled ? settings.minCoins : 0]],
  );
}

function sumOfBalances({ balance }: PoolTotals): bigint {
  return coinStates.reduce((sum, state) => sum + balance[state], 0n);
}

/**
 * Exports whether Redis is configured to lose no write in a crash. No value where Redis does not disclose it.
 */
export function measureDurability(metrics: Metrics, redis: RedisConnection): void {
  const inspect = rememberAnswer(() => inspectRedis(redis), DURABILITY_FRESH_MS);
  metrics.figures<{ setting: string }>({
    name: 'redis_durable',
    labels: ['setting'],
    help: 'Whether a setting of Redis has the value that loses no data (1) or not (0): appendonly yes, appendfsync always, maxmemory-policy noeviction.',
    async read() {
      const { appendOnly, appendFsync, maxMemoryPolicy } = await inspect();
      return [
        [{ setting: 'appendonly' }, Number(appendOnly)],
        ...(appendFsync === null
          ? []
          : [[{ setting: 'appendfsync' }, Number(appendFsync === 'always')] as const]),
        [{ setting: 'maxmemory-policy' }, Number(maxMemoryPolicy === 'noeviction')],
      ];
    },
  });
}
