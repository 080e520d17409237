import type { Sponsorship, UsageFilters, UsageKey, Viewer } from '@forecourt/contracts';
import { calledFunctions } from '@forecourt/sponsorship';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../database/record-ids.js';
import {
  aRefusal,
  aSponsorship,
  everybody,
  noon,
  oneOf,
  useTables,
} from '../history.test-support.js';
import type { IdentifiedRefusal } from '../writing/insert-refusals.js';
import { UsageQueries } from './usage-queries.js';

const tables = useTables();
let queries: UsageQueries;
const sponsorships: Sponsorship[] = [];
const refusals: IdentifiedRefusal[] = [];

/** Amounts whose sums no floating-point number holds. */
const HUGE = 2n ** 63n + 1n;
const calls = ['0x2::coin::mint', '0x2::coin::burn', '0x3::shop::buy'];
const commands = () =>
  oneOf([], [calls[0]!], calls.slice(0, 2), calls).map((call) => `MoveCall ${call}`);
const keys = () => ({
  token: oneOf('shop', 'game'),
  sender: oneOf('0xa', '0xb'),
});
const beginOfMonth = new Date(noon()).setUTCDate(1) - 12 * HOUR_MS;
const times = [0, 1, 30 * 60_000, HOUR_MS - 1, HOUR_MS, 11 * HOUR_MS, 13 * HOUR_MS];

function any(time: number): Sponsorship {
  const outcome = oneOf('success', 'success', 'failure', null);
  const net = String(outcome === null ? -5n : HUGE);
  const refusal = (code: string) => ({ at: time, status: 400, code, message: '', digest: null });
  return aSponsorship(time, {
    ...keys(),
    outcome,
    status: outcome === null ? oneOf('expired', 'released') : 'executed',
    user: oneOf(null, '0xa'),
    sponsor_address: oneOf('0x5', '0x6'),
    commands: commands(),
    refusals: oneOf([], [refusal('REFUSED_BY_LEDGER')], [refusal('PAUSED'), refusal('PAUSED')]),
    gas: outcome === null && oneOf(true, false) ? null : gasOf(net),
  });
}

const gasOf = (net: string) => {
  return { computation: net, storage: '0', rebate: '0', net, counted: net };
};

beforeAll(async () => {
  queries = new UsageQueries(tables.database, tables.partitions);
  for (const day of [0, 1, 2, 20]) {
    for (const time of times) {
      const instant = noon(day) - 12 * HOUR_MS + time;
      sponsorships.push(...Array.from({ length: 6 }, () => any(instant)));
      const refused = {
        ...keys(),
        sponsor: oneOf('', '0x5'),
        user: oneOf('', '0xa'),
        code: oneOf('PAUSED', 'FORBIDDEN'),
      };
      refusals.push(aRefusal(instant, refused, commands()));
    }
  }
  for (const instant of [beginOfMonth - 1, beginOfMonth]) {
    sponsorships.push(...Array.from({ length: 6 }, () => any(instant)));
    const refused = { ...keys(), sponsor: '0x5', user: '', code: 'PAUSED' };
    refusals.push(aRefusal(instant, refused, commands()));
  }
  // Written in parts, and repeatedly.
  await tables.insert(sponsorships.slice(0, 50));
  await tables.insert(sponsorships);
  await tables.refuse(refusals.slice(0, 10));
  await tables.refuse(refusals);
});

/** The keys and figures of everything that happened, one row for each. */
function facts() {
  const executed = sponsorships.map((one) => ({
    at: one.created_at,
    token: one.token,
    user: one.user ?? '',
    sender: one.sender ?? '',
    sponsor: one.sponsor_address,
    commands: one.commands,
    codes: one.refusals.map(({ code }) => code),
    figures: [
      one.status === 'executed' ? 1n : 0n,
      one.outcome === 'failure' ? 1n : 0n,
      BigInt(one.refusals.length),
      BigInt(one.gas?.net ?? 0),
    ],
    isUsed: one.status === 'executed' || one.refusals.length > 0 || one.gas !== null,
  }));
  const refused = refusals.map(({ refused: one, commands }) => ({
    at: Number(one.at),
    token: one.token,
    user: one.user,
    sender: one.sender,
    sponsor: one.sponsor,
    commands,
    codes: [one.code],
    figures: [0n, 0n, 1n, 0n],
    isUsed: true,
  }));
  return [...executed, ...refused];
}

type Fact = ReturnType<typeof facts>[number] & { readonly code?: string };

/** The facts that are counted: by code, each refusal of one. */
function countedAs(fact: Fact, groupBy: readonly UsageKey[]): readonly Fact[] {
  if (!groupBy.includes('code')) return [fact];
  return fact.codes.map((code) => ({ ...fact, code, figures: [0n, 0n, 1n, 0n] }));
}

/** The rows that one fact counts in, by their keys as text. */
function groupsOf(fact: Fact, groupBy: readonly UsageKey[]): string[] {
  const iso = new Date(fact.at).toISOString();
  const called = calledFunctions(fact.commands).map((one) => ({
    package: one.package,
    function: `${one.package}::${one.module}::${one.function}`,
  }));
  const rows = (called.length > 0 ? called : [{ package: '', function: '' }]).map((call) =>
    groupBy.map((key) => {
      if (key === 'month') return iso.slice(0, 7);
      if (key === 'day') return iso.slice(0, 10);
      if (key === 'hour') return iso.slice(0, 13);
      if (key === 'minute') return iso.slice(0, 16);
      return key === 'package' || key === 'function' ? call[key] : fact[key];
    }),
  );
  return [...new Set(rows.map((row) => JSON.stringify(row)))];
}

function expected(
  groupBy: readonly UsageKey[],
  [from, to]: readonly [number, number],
  viewer: Viewer,
  filters: UsageFilters,
) {
  const sums = new Map<string, bigint[]>();
  for (const fact of facts().flatMap((one) => countedAs(one, groupBy))) {
    const isSelected =
      fact.isUsed &&
      fact.at >= from &&
      fact.at <= to &&
      [viewer.token, filters.token].every((token) => (token ?? fact.token) === fact.token) &&
      [viewer.user, filters.user].every((user) => (user ?? fact.user) === fact.user) &&
      (filters.sender ?? fact.sender) === fact.sender &&
      (filters.sponsor ?? fact.sponsor) === fact.sponsor;
    if (!isSelected) continue;
    for (const group of groupsOf(fact, groupBy)) {
      const sum = sums.get(group) ?? [0n, 0n, 0n, 0n];
      sums.set(
        group,
        sum.map((value, index) => value + fact.figures[index]!),
      );
    }
  }
  return Object.fromEntries([...sums].map(([group, sum]) => [group, sum.map(String)]));
}

const groupings: readonly UsageKey[][] = [
  ['month'],
  ['month', 'token'],
  ['month', 'day', 'sender'],
  ['month', 'function'],
  ['code', 'month'],
  ['month', 'minute'],
  ['day'],
  ['hour'],
  ['minute'],
  ['minute', 'token'],
  ['token'],
  ['user'],
  ['sender'],
  ['sponsor'],
  ['package'],
  ['function'],
  ['token', 'day'],
  ['package', 'function', 'day'],
  ['hour', 'sender'],
  ['hour', 'function', 'token'],
  ['sender', 'package'],
  ['day', 'token', 'user', 'sender', 'sponsor'],
  ['code'],
  ['code', 'token', 'hour'],
  ['minute', 'code'],
  ['code', 'sender'],
  ['function', 'code'],
  [],
];
const day = noon(1) - 12 * HOUR_MS;
const ranges: readonly (readonly [number, number])[] = [
  [0, Date.now() + HOUR_MS],
  [day, day + 24 * HOUR_MS - 1],
  [day + 1, day + HOUR_MS - 1],
  [day - 24 * HOUR_MS + 30 * 60_000, day + HOUR_MS],
  [day + 30 * 60_000, day + 30 * 60_000],
  [beginOfMonth - 30 * 60_000, beginOfMonth + 30 * 60_000],
  [beginOfMonth, beginOfMonth],
  [beginOfMonth - 1, beginOfMonth - 1],
];
const selections: readonly (readonly [Viewer, UsageFilters])[] = [
  [everybody, {}],
  [{ token: 'shop', user: null }, {}],
  [{ token: 'shop', user: '0xa' }, {}],
  [everybody, { sender: '0xb', sponsor: '0x5' }],
  [{ token: 'game', user: null }, { token: 'shop' }],
];

describe('usage', () => {
  it.each(groupings.map((one) => [one.join(',') || 'nothing', one] as const))(
    'by %s equals the sums of all records, for any time, viewer and filter',
    async (_name, groupBy) => {
      for (const range of ranges) {
        for (const [viewer, filters] of selections) {
          const [from, to] = range;
          const report = await queries.sum({ viewer, filters, groupBy, from, to });
          const rows = report.rows.map((row) => [
            JSON.stringify(groupBy.map((key) => row[key])),
            [row.transactions, row.failed, row.refused, row.gas].map(String),
          ]);
          expect(Object.fromEntries(rows)).toEqual(expected(groupBy, range, viewer, filters));
          expect(report).toMatchObject({ from, to, group_by: groupBy });
          const { transactions, failed, refused, gas } = report.total;
          const total = expected([], range, viewer, filters)['[]'] ?? ['0', '0', '0', '0'];
          expect([transactions, failed, refused, gas].map(String)).toEqual(total);
        }
      }
    },
  );

  it('by month begins a row with the first millisecond of a month in UTC', async () => {
    const [from, to] = [beginOfMonth - 1, beginOfMonth];
    const month = (time: number) => new Date(time).toISOString().slice(0, 7);
    const summed = { viewer: everybody, filters: {}, groupBy: ['month'], from, to } as const;
    const { rows } = await queries.sum(summed);
    expect(rows.map((row) => row.month)).toEqual([month(from), month(to)]);
    expect(month(from)).not.toBe(month(to));
  });

  it('has sums that floating-point numbers could not hold', async () => {
    const { total } = await queries.sum({
      viewer: everybody,
      filters: {},
      groupBy: [],
      from: 0,
      to: Date.now() + HOUR_MS,
    });
    expect(BigInt(total.gas)).toBeGreaterThan(2n ** 64n);
    expect(String(Number(total.gas))).not.toBe(total.gas);
  });
});
