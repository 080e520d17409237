import { startRedisServer, Watchdog } from '@forecourt/testing/system';
import { Redis } from 'ioredis';
import type { Effort } from '../sponsoring/effort.js';
import { median, type Row } from '../row.js';
import { COIN_BALANCE, MeasuredPool, newCoins } from './measured-pool.js';
import { type PlainReservation, ReferenceScripts, scriptTime } from './reference-scripts.js';

/** Few, so that a round ends before another process gets Redis's core. */
const CALLS = 64;
const BURST = 32;
const ONE_COIN = COIN_BALANCE / 10n;
const FIVE_COINS = COIN_BALANCE * 4n + COIN_BALANCE / 2n;
const FLAT = 1.25;

/** Redis's time in µs for one request each, by name. */
type Times = Record<
  | 'take1'
  | 'take5'
  | 'one'
  | 'five'
  | 'burst'
  | 'settle1'
  | 'settle5'
  | 'bareOne'
  | 'bareBurst'
  | 'bareSettle',
  number
>;

/** Measures Redis's time for a reservation and its settlement, in pools of several sizes. */
export async function benchRedisTime({ say, quick }: Effort): Promise<Row[]> {
  const sizes = quick ? [1_000, 100_000] : [1_000, 100_000, 1_000_000];
  const watchdog = new Watchdog();
  const server = await startRedisServer({ watchdog });
  const connection = new Redis(server.url);
  try {
    const references = new ReferenceScripts(connection);
    const pools: { size: number; pool: MeasuredPool; rounds: Times[] }[] = [];
    for (const size of sizes) {
      say(`Redis time: a pool of ${size} coins …`);
      pools.push({ size, pool: await MeasuredPool.fill(connection, size), rounds: [] });
    }
    // Sizes take turns, so that other load on the machine affects all of them.
    for (let round = 0; round <= (quick ? 9 : 31); round++) {
      for (const { pool, rounds } of pools) {
        const times = await measureRound(connection, references, pool);
        if (round > 0) rounds.push(times);
      }
    }
    return describe(pools.map(({ size, rounds }) => ({ size, times: medians(rounds) })));
  } finally {
    connection.disconnect();
    await server.stop();
    watchdog.close();
  }
}

async function measureRound(
  redis: Redis,
  references: ReferenceScripts,
  pool: MeasuredPool,
): Promise<Times> {
  const each = async (work: () => Promise<unknown>) => (await scriptTime(redis, work)) / CALLS;
  const many = (work: (index: number) => Promise<unknown>) => () =>
    Promise.all(Array.from({ length: CALLS }, (_, index) => work(index)));
  const reserve = async (budget: bigint, burst: number) => {
    let reserved: Awaited<ReturnType<MeasuredPool['reserve']>> = [];
    const time = await each(async () => (reserved = await pool.reserve(CALLS, budget, burst)));
    return { time, reserved };
  };
  const settle = async (reserved: Parameters<MeasuredPool['settle']>[0]) => {
    await pool.begin(reserved);
    return each(() => pool.settle(reserved));
  };
  await references.addCoins(newCoins(8 * CALLS));
  const take1 = await each(many(() => references.takeFromList(ONE_COIN)));
  const take5 = await each(many(() => references.takeFromList(FIVE_COINS)));
  const bare = async (burst: number) => {
    let reserved: PlainReservation[] = [];
    const time = await each(async () => {
      const calls = Array.from({ length: CALLS / burst }, () => references.reserve(burst));
      reserved = (await Promise.all(calls)).flat();
    });
    return { time, reserved };
  };
  const bareBurst = await bare(BURST);
  const bareOne = await bare(1);
  const bareSettle = await each(async () => {
    await Promise.all(bareOne.reserved.map((one) => references.settle(one)));
  });
  const burst = await reserve(ONE_COIN, BURST);
  await pool.release(burst.reserved);
  const one = await reserve(ONE_COIN, 1);
  const settle1 = await settle(one.reserved);
  const five = await reserve(FIVE_COINS, 1);
  const settle5 = await settle(five.reserved);
  await pool.add(4 * CALLS);
  return {
    take1,
    take5,
    settle1,
    settle5,
    one: one.time,
    five: five.time,
    burst: burst.time,
    bareOne: bareOne.time,
    bareBurst: bareBurst.time,
    bareSettle,
  };
}

function medians(rounds: readonly Times[]): Times {
  const names = Object.keys(rounds[0]!) as (keyof Times)[];
  return Object.fromEntries(
    names.map((name) => [name, median(rounds.map((times) => times[name]))]),
  ) as Times;
}

function describe(pools: readonly { size: number; times: Times }[]): Row[] {
  const smallest = pools[0]!.times;
  const stores = pools.flatMap(({ size, times }) => {
    const row = (
      what: string,
      name: keyof Times,
      reference: 'take1' | 'take5',
      limit = Infinity,
    ): Row => {
      const growth = times[name] / smallest[name];
      const ratio = times[name] / times[reference];
      const flat = `flat (${growth.toFixed(2)} of ${pools[0]!.size} coins)`;
      return {
        what: `${what}, ${size} coins in the pool`,
        value: times[name],
        unit: 'µs of Redis',
        reference: `coins taken from a list, JSON written, ${times[reference].toFixed(1)} µs`,
        ratio,
        target: limit === Infinity ? flat : `${limit} of it, ${flat}`,
        isMet: ratio <= limit && growth <= FLAT,
      };
    };
    return [
      row('reserve, one coin', 'one', 'take1', 0.9),
      row('reserve, five coins', 'five', 'take5'),
      row(`reserve, one coin, ${BURST} in a call`, 'burst', 'take1', 0.35),
      row('settle, one coin', 'settle1', 'take1', 1),
      row('settle, five coins', 'settle5', 'take5'),
    ];
  });
  const bare = (what: string, value: number): Row => ({
    what: `the commands alone: ${what}`,
    value,
    unit: 'µs of Redis',
    reference: `coins taken from a list, JSON written, ${smallest.take1.toFixed(1)} µs`,
    ratio: value / smallest.take1,
  });
  return [
    ...stores,
    bare('reserve, one coin', smallest.bareOne),
    bare(`reserve, one coin, ${BURST} in a call`, smallest.bareBurst),
    bare('settle, one coin', smallest.bareSettle),
  ];
}
