import type { Row } from '../row.js';
import { distance } from './pool-shape.js';
import type { SimulatedPool } from './simulation.js';

const CLOSE = 0.05;
const MILLION = 1_000_000;

/**
 * The change of a pool, as rows of the benchmark. `halved`: the number of transactions after which
 * taking coins in turn has lost half of them.
 */
export function describeShape(pool: SimulatedPool, halved: { after: number; lost: number }): Row[] {
  const { before, after, executed } = pool;
  const requestCount = executed + pool.released + pool.unserved;
  const perThousand = (count: number) => (1_000 * count) / executed;
  const far = distance(before, after);
  const kept = after.serving / before.serving;
  const sizes = new Set([...before.sizes.keys(), ...after.sizes.keys()]);
  return [
    row(
      `coins to sponsor with, last tenth of ${requestCount.toLocaleString('en-US')}`,
      after.serving,
      {
        unit: 'coins',
        reference: `second tenth: ${before.serving.toFixed(1)}`,
        ratio: kept,
        target: '0.95 to 1.05',
        isMet: Math.abs(kept - 1) <= CLOSE,
      },
    ),
    ...[...sizes].toSorted((a, b) => (a < b ? -1 : 1)).map((size) => sizeRow(size, pool)),
    row('coins kept whole to be split', after.treasury, {
      unit: 'coins',
      reference: `second tenth: ${before.treasury.toFixed(1)}`,
    }),
    row('coins of another size than in the second tenth', 100 * far, {
      unit: '%',
      target: 'below 5 %',
      isMet: far < CLOSE,
    }),
    row('transactions that several coins paid for', perThousand(pool.paidWithSeveral), RATE),
    row('coins smashed by transactions', perThousand(pool.smashed), RATE),
    row('splits', perThousand(pool.splits), RATE),
    row('coins made by splits', perThousand(pool.coinsMade), RATE),
    row('consolidations', perThousand(pool.consolidations), RATE),
    row('gas for splits and consolidations', 100 * pool.upkeepShare, { unit: '% of all gas' }),
    row('reservations for which there were no coins', (100 * pool.unserved) / requestCount, {
      unit: '%',
      target: 'below 0.1 %',
      isMet: pool.unserved < requestCount / 1_000,
    }),
    row(`coins smashed in the first ${halved.after.toLocaleString('en-US')}`, pool.smashedAtMark, {
      unit: 'coins',
      reference: `taking in turn from one queue: ${halved.lost}, half of its coins`,
      ratio: pool.smashedAtMark / halved.lost,
      target: 'below 0.5',
      isMet: pool.smashedAtMark < halved.lost / 2,
    }),
    row('differences between pool and ledger at the end', pool.differences.length, {
      unit: 'coins',
      target: '0',
      isMet: pool.differences.length === 0,
    }),
  ];
}

const RATE = { unit: 'per 1 000 transactions' };

function sizeRow(size: bigint, { before, after }: SimulatedPool): Row {
  const [least, most] = [size, 2n * size].map((end) => (Number(end) / MILLION).toFixed(1));
  const [then, now] = [before, after].map((shape) => shape.sizes.get(size) ?? 0);
  return row(`available coins of ${least} to ${most} million`, now!, {
    unit: 'coins',
    reference: `second tenth: ${then!.toFixed(1)}`,
  });
}

function row(what: string, value: number, more: Omit<Row, 'what' | 'value'>): Row {
  return { what, value, ...more };
}
