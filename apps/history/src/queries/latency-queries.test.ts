import { randomInt } from 'node:crypto';
import type { LatencyUnit, Sponsorship, Viewer } from '@forecourt/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '../database/record-ids.js';
import { aSponsorship, everybody, noon, oneOf, useTables } from '../history.test-support.js';
import { LatencyQueries } from './latency-queries.js';

const tables = useTables();
let queries: LatencyQueries;
const sponsorships: Sponsorship[] = [];
const LENGTHS = { minute: 60_000, hour: HOUR_MS, day: DAY_MS } as const;
type Measure = 'latency' | 'queue';
const YESTERDAY = noon(1) - DAY_MS / 2;

/** An executed sponsorship that waited and took as long. */
function executed(time: number, queue: number | null, latency: number): Sponsorship {
  const one = aSponsorship(time, { token: oneOf('shop', 'game'), user: oneOf(null, '0xa') });
  const claimed = one.created_at + 1_000;
  const steps = [
    { at: one.created_at, event: 'reserved' },
    // Refused by the ledger, and claimed again.
    { at: claimed - 900, event: 'claimed' },
    { at: claimed - 800, event: 'begun' },
    { at: claimed, event: 'claimed' },
    ...(queue === null ? [] : [{ at: claimed + queue, event: 'begun' as const }]),
    { at: claimed + latency, event: 'executed' },
  ] as const;
  return { ...one, timeline: steps, ended_at: claimed + latency };
}

beforeAll(async () => {
  queries = new LatencyQueries(tables.database);
  for (const time of [0, 59_999, 60_000, HOUR_MS - 1, HOUR_MS, 30 * HOUR_MS]) {
    for (let index = 0; index < 40; index += 1) {
      const queue = oneOf(null, 0, 1, 2, randomInt(100), randomInt(60_000));
      sponsorships.push(executed(YESTERDAY + time, queue, (queue ?? 0) + randomInt(2_000)));
    }
  }
  const refused = { status: 'released', outcome: null } as const;
  const others = sponsorships
    .slice(0, 9)
    .map(({ created_at: time }) => aSponsorship(time, refused));
  const instant = executed(YESTERDAY, 0, 0);
  sponsorships.push(instant);
  // Written in parts, and repeatedly.
  await tables.insert(sponsorships.slice(0, 100));
  await tables.insert([...sponsorships, ...others]);
});

/** Milliseconds of the sponsorships that a viewer may see, by measure and unit of time. */
function measured(viewer: Viewer, token: string | undefined, by: LatencyUnit) {
  const times: Record<Measure, Map<number, number[]>> = {
    latency: new Map(),
    queue: new Map(),
  };
  for (const one of sponsorships) {
    const isSeen =
      (viewer.token ?? one.token) === one.token &&
      (viewer.user ?? one.user) === one.user &&
      (token ?? one.token) === one.token;
    if (!isSeen) continue;
    const unit = Math.floor(one.created_at / LENGTHS[by]) * LENGTHS[by];
    const claimed = one.timeline.findLast(({ event }) => event === 'claimed')!.at;
    const begun = one.timeline.findLast(({ event }) => event === 'begun')!.at;
    const add = (measure: Measure, ms: number) =>
      times[measure].set(unit, [...(times[measure].get(unit) ?? []), ms]);
    add('latency', one.ended_at! - claimed);
    if (begun >= claimed) add('queue', begun - claimed);
  }
  return times;
}

/** Within 5 % or half a millisecond; nothing takes less than one. */
function expectPercentiles(found: { p50: number; p99: number } | null, times: number[] = []) {
  const sorted = times.toSorted((a, b) => a - b);
  for (const [name, part] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const exact = sorted[Math.ceil(sorted.length * part) - 1];
    if (exact === undefined) {
      expect(found).toBeNull();
      continue;
    }
    const tolerance = Math.max(1, exact) * 0.05 + 0.5;
    expect(Math.abs(found![name] - Math.max(1, exact))).toBeLessThanOrEqual(tolerance);
  }
}

const viewers: readonly (readonly [string, Viewer, string | undefined])[] = [
  ['everybody', everybody, undefined],
  ['everybody, of one token', everybody, 'game'],
  ['a token', { token: 'shop', user: null }, undefined],
  ['a token that names another', { token: 'shop', user: null }, 'game'],
  ['a user', { token: 'shop', user: '0xa' }, undefined],
];

describe('latency', () => {
  it.each(
    viewers.flatMap(([name, ...rest]) =>
      (['minute', 'hour', 'day'] as const).map((by) => [by, name, ...rest] as const),
    ),
  )('by %s shows %s the percentiles of its transactions', async (by, _name, viewer, token) => {
    const message = {
      viewer,
      from: YESTERDAY,
      to: YESTERDAY + 2 * DAY_MS - 1,
      by,
      ...(token && { token }),
    };
    const report = await queries.read(message);
    const { latency, queue } = measured(viewer, token, by);
    expect(report.rows.map(({ at: time, transactions }) => [time, transactions])).toEqual(
      [...latency].sort(([a], [b]) => a - b).map(([index, times]) => [index, times.length]),
    );
    for (const row of report.rows) {
      expectPercentiles(row.latency_ms, latency.get(row.at));
      expectPercentiles(row.queue_ms, queue.get(row.at));
    }
    const all = [...latency.values()].flat();
    expect(report.total.transactions).toBe(all.length);
    expectPercentiles(report.total.latency_ms, all);
    expectPercentiles(report.total.queue_ms, [...queue.values()].flat());
  });

  it('is read in whole units', async () => {
    const read = (by: LatencyUnit, from: number, to: number) =>
      queries.read({ viewer: everybody, by, from, to });
    const { from, to, rows } = await read('hour', YESTERDAY + 59_999, YESTERDAY + HOUR_MS);
    expect([from, to]).toEqual([YESTERDAY, YESTERDAY + 2 * HOUR_MS - 1]);
    expect(rows.map(({ at: time }) => time)).toEqual([YESTERDAY, YESTERDAY + HOUR_MS]);
    const minute = await read('minute', YESTERDAY + 60_001, YESTERDAY + 60_001);
    expect(minute).toMatchObject({ from: YESTERDAY + 60_000, to: YESTERDAY + 119_999 });
    expect(minute.rows).toHaveLength(1);
  });

  it('is refused by minute for a time whose minutes are gone', async () => {
    const message = { viewer: everybody, by: 'minute', to: Date.now() } as const;
    await expect(queries.read({ ...message, from: YESTERDAY - 1 })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      detail: expect.stringContaining(`from must not be before ${YESTERDAY} with minutes`),
    });
  });
});
