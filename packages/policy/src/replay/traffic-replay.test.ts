import type { LedgerCodec } from '@forecourt/ledger';
import { partial } from '@forecourt/testing/jest';
import type { TrafficRecord } from '@forecourt/contracts';
import { describe, expect, it } from '@jest/globals';
import {
  ALICE,
  BOB,
  call,
  file,
  PACKAGE,
  transaction,
} from '../access/access-rules.test-support.js';
import { readAccessRules, readCaps } from '../access/index.js';
import { readYaml } from '../yaml/index.js';
import { TrafficReplay } from './traffic-replay.js';
import type { ReplayedToken } from './replayed-rules.js';

const START = Date.UTC(2026, 0, 1);
const SECOND = 1_000;

/** The bytes of a transaction in these tests: JSON of its sender and its package. */
const bytesOf = (sender: string, packageId = PACKAGE) =>
  Buffer.from(JSON.stringify({ sender, packageId })).toString('base64');

const codec = partial<LedgerCodec>({
  decodeTransaction(bytes: Uint8Array) {
    const { sender, packageId } = JSON.parse(Buffer.from(bytes).toString()) as Record<
      string,
      string
    >;
    return transaction({ sender: sender!, moveCalls: [call(packageId!)] });
  },
  transactionJson: () => ({}),
});

let last = 0;

/** A transaction that was sponsored so many ms after the start; `over` replaces fields. */
function sponsored(afterMs: number, over: Partial<TrafficRecord> = {}): TrafficRecord {
  last += 1;
  return {
    at: START + afterMs,
    refusal: null,
    token: 'shop',
    user: null,
    sponsor: '0x5',
    digest: `D${last}`,
    reservation_id: last,
    rule: null,
    facts: '500000 60 1000 600000 0',
    transaction: bytesOf(ALICE),
    ended_at: START + afterMs + 500,
    executed: true,
    counted: '100000',
    gas: '90000',
    ...over,
  };
}

interface Sides {
  readonly inForce: string;
  readonly proposed: string;
  readonly tokens?: ReadonlyMap<string, ReplayedToken>;
}

const offline = (text: string) =>
  readAccessRules(text, '/rules.yaml', () => Promise.reject(new Error('no files')), {
    isOffline: true,
  });

async function replay({ inForce, proposed, tokens = new Map() }: Sides, records: TrafficRecord[]) {
  const made = new TrafficReplay({
    inForce: await offline(inForce),
    proposed: await offline(proposed),
    tokens,
    settings: { allowAbstractAccounts: false, maxGasPriceRatio: 2 },
    codec,
  });
  for (const record of records) await made.add(record);
  return { ...made.report(), skipped: made.skipped };
}

const ALL = file('allow-all', '');
const rule = (name: string, ...lines: string[]) =>
  [`    - name: ${name}`, ...lines.map((line) => `      ${line}`), ''].join('\n');
const allow = (name: string, sender: string) =>
  rule(name, `sender-address: '${sender}'`, 'action: allow');

/** The digests of the decisions that change, in order. */
const changedBy = ({ examples }: Awaited<ReturnType<typeof replay>>) =>
  examples.flatMap(({ from, to, data }) => data.map(({ digest }) => `${from} ${to} ${digest}`));

/** The places, in the traffic, of what the proposed rules limit. */
async function limitedBy(limits: string, records: TrafficRecord[]): Promise<number[]> {
  const proposed = file('deny-all', rule('limited', ...limits.split('\n'), 'action: allow'));
  const { examples } = await replay({ inForce: ALL, proposed }, records);
  const limited = examples.find(({ to }) => to === 'limited')?.data ?? [];
  return limited.map(({ digest }) => records.findIndex((one) => one.digest === digest));
}

describe('a replay', () => {
  const rules = file('deny-all', allow('alice', ALICE) + allow('bob', BOB));

  it('with the rules in force changes nothing', async () => {
    const denied = { refusal: 'FORBIDDEN', executed: false, ended_at: null } as const;
    const records = [
      sponsored(0),
      sponsored(1, { transaction: bytesOf(BOB) }),
      sponsored(2, { ...denied, transaction: bytesOf(PACKAGE) }),
    ];
    const report = await replay({ inForce: rules, proposed: rules }, records);
    expect(report).toMatchObject({
      decided: 3,
      changed: 0,
      by_another_rule: 0,
      unlike_recorded: 0,
    });
    expect(report.changes).toEqual([]);
    expect(report.examples).toEqual([]);
  });

  it('without a rule names exactly what the rule allowed, by rule, token and function', async () => {
    const records = [
      sponsored(0),
      sponsored(1, { transaction: bytesOf(BOB) }),
      sponsored(2, { transaction: bytesOf(BOB), token: 'other', gas: '-10' }),
    ];
    const proposed = file('deny-all', allow('alice', ALICE));
    const report = await replay({ inForce: rules, proposed }, records);
    const change = { from: 'allow', to: 'deny', count: 2, gas: '89990', largest_cost: '0' };
    expect(report).toMatchObject({
      decided: 3,
      changed: 2,
      changes: [change],
      by_rule: [{ ...change, from_rule: 'bob', to_rule: null }],
      by_function: [{ ...change, function: `${PACKAGE}::m::f` }],
    });
    expect(report.by_token).toEqual([
      { ...change, token: 'shop', count: 1, gas: '90000' },
      { ...change, token: 'other', count: 1, gas: '-10' },
    ]);
    expect(changedBy(report)).toEqual(records.slice(1).map(({ digest }) => `allow deny ${digest}`));
    expect(report.examples[0]!.data[0]).toMatchObject({
      sender: BOB,
      page: `/console/sponsorships/${records[1]!.reservation_id}`,
      recorded: 'allow',
      in_force: { outcome: 'allow', rule: 'bob' },
      proposed: { outcome: 'deny', rule: null },
    });
  });

  it('counts what another rule decides alike, and what the present rules decide unlike then', async () => {
    const proposed = file('deny-all', allow('either', '*'));
    const records = [sponsored(0), sponsored(1, { transaction: bytesOf(PACKAGE) })];
    const report = await replay({ inForce: rules, proposed }, records);
    expect(report).toMatchObject({ by_another_rule: 1, unlike_recorded: 1, changed: 1 });
    expect(report.changes).toMatchObject([{ from: 'deny', to: 'allow', count: 1 }]);
  });

  it('lists at most a hundred decisions of each kind, and counts all', async () => {
    const records = Array.from({ length: 150 }, (_, index) => sponsored(index));
    const report = await replay({ inForce: ALL, proposed: file('deny-all', '') }, records);
    expect(report.changes).toMatchObject([{ count: 150 }]);
    expect(report.examples.map(({ data }) => data.length)).toEqual([100]);
  });

  it('bounds the functions that it lists, however many transactions name', async () => {
    const records = Array.from({ length: 1_100 }, (_, index) =>
      sponsored(index, {
        transaction: bytesOf(ALICE, `0x${index.toString(16).padStart(64, '0')}`),
      }),
    );
    const report = await replay({ inForce: ALL, proposed: file('deny-all', '') }, records);
    const others = report.by_function.find((one) => one.function === null);
    expect(others).toMatchObject({ count: 100 });
    expect(report.by_function).toHaveLength(1_001);
  });

  it('counts records that lack what a decision needs', async () => {
    const refused = { refusal: 'FORBIDDEN', transaction: null } as const;
    const broken = Buffer.from('{').toString('base64');
    const report = await replay({ inForce: ALL, proposed: ALL }, [
      sponsored(0, { transaction: null }),
      sponsored(0, { facts: 'of a later release' }),
      sponsored(0, { transaction: broken }),
      sponsored(0, refused),
      sponsored(0),
    ]);
    expect(report).toMatchObject({ decided: 1, skipped: { sponsorships: 3, refusals: 1 } });
  });

  it('decides about refused reservations as far as it can', async () => {
    const reserve = sponsored(0, {
      refusal: 'FORBIDDEN',
      digest: null,
      transaction: null,
      reservation_id: null,
      facts: '500000 60 - 0 0',
    });
    const inForce = file('deny-all', rule('others', 'token: other', 'action: allow'));
    const proposed = file('deny-all', rule('both', 'token: [other, shop]', 'action: allow'));
    const report = await replay({ inForce, proposed }, [reserve]);
    expect(report.changes).toMatchObject([{ from: 'deny', to: 'undecided', count: 1 }]);
    expect(report.undecided).toMatchObject([{ in_force: 0, proposed: 1 }]);
    expect(report.unlike_recorded).toBe(0);
  });

  it('refuses abstract accounts and gas prices that no rule names', async () => {
    const named = file(
      'deny-all',
      rule('accounts', 'abstract-account: true', 'action: allow') +
        rule('prices', 'gas-price-ratio: <=50', 'action: allow'),
    );
    const account = sponsored(0, { facts: '500000 60 1000 600000 1' });
    const dear = sponsored(1, { facts: '500000 60 100 600000 0' });
    const report = await replay({ inForce: named, proposed: ALL }, [account, dear]);
    expect(changedBy(report)).toEqual([account, dear].map(({ digest }) => `allow deny ${digest}`));
  });

  it.each([
    ['a hook', 'action: http://127.0.0.1:1/'],
    [
      'the arguments of calls',
      `argument: { function: '${PACKAGE}::m::f', index: 0, value: '<=5' }\naction: allow`,
    ],
    [
      'balance changes',
      `balance-changes: { owner: sender, coin-type: '0x2::iota::IOTA', receives: '>=0' }\naction: allow`,
    ],
    [
      'an OPA server',
      'rego-expression: { location-type: opa-server, url: http://127.0.0.1:1, rego-rule-path: data.a.b }\naction: allow',
    ],
    [
      'a policy at an address',
      'rego-expression: { location-type: http, url: http://127.0.0.1:1, rego-rule-path: data.a.b }\naction: allow',
    ],
    [
      'a header that counts',
      `requests: { value: '<=5', window: 1 day, count-by: ['http-header::x-user'] }\naction: allow`,
    ],
  ])('leaves undecided what depends on %s, and says so', async (_name, lines) => {
    const proposed = file('allow-all', rule('asks', ...lines.split('\n')));
    const report = await replay({ inForce: ALL, proposed }, [sponsored(0)]);
    expect(report.changes).toMatchObject([{ from: 'allow', to: 'undecided', count: 1 }]);
    expect(report.undecided).toMatchObject([{ in_force: 0, proposed: 1 }]);
    const same = await replay({ inForce: proposed, proposed }, [sponsored(0)]);
    expect(same).toMatchObject({ changed: 0, unlike_recorded: 1 });
  });

  it('uses the rule set of a token, which the proposed rules must have', async () => {
    const withSet = `${ALL}\n  rule-sets:\n    strict: { access-policy: deny-all }\n`;
    const tokens = new Map([['shop', { ruleSet: 'strict', budget: [] }]]);
    const records = [sponsored(0), sponsored(1, { token: 'other' })];
    const report = await replay({ inForce: withSet, proposed: withSet, tokens }, records);
    expect(report).toMatchObject({ changed: 0, unlike_recorded: 1 });
    await expect(replay({ inForce: withSet, proposed: ALL, tokens }, [])).rejects.toThrow(
      'token shop names the rule set strict',
    );
  });
});

describe('the limits of a replay', () => {
  const requests = `requests: { value: '<=2', window: 1 minute }`;

  it('count in windows that begin with the first transaction', async () => {
    const records = [0, 10, 20, 59, 60, 61, 62].map((after) => sponsored(after * SECOND));
    expect(await limitedBy(requests, records)).toEqual([2, 3, 6]);
  });

  it('hold the maximum cost until a transaction ends, and its cost from then on', async () => {
    const gas = `gas-usage: { value: '<=1000000', window: 1 hour }`;
    const records = [
      sponsored(0, { ended_at: START + 5 * SECOND }),
      // 600 000 are held.
      sponsored(SECOND),
      // 100 000 are counted.
      sponsored(5 * SECOND, { ended_at: START + 20 * SECOND }),
      sponsored(6 * SECOND),
    ];
    expect(await limitedBy(gas, records)).toEqual([1, 3]);
  });

  it('correct amounts in the order in which transactions end', async () => {
    const gas = `gas-usage: { value: '<=1300000', window: 1 hour }`;
    const records = [
      sponsored(0, { ended_at: START + 30 * SECOND }),
      sponsored(SECOND, { ended_at: START + 10 * SECOND }),
      sponsored(5 * SECOND),
      sponsored(11 * SECOND, { ended_at: START + 12 * SECOND }),
      sponsored(13 * SECOND),
      sponsored(31 * SECOND),
    ];
    expect(await limitedBy(gas, records)).toEqual([2, 4]);
  });

  it('do not count transactions that were not executed, once they have ended', async () => {
    const failed = { executed: false, counted: '0' };
    const records = [0, 1, 2].map((after) => sponsored(after * SECOND, failed));
    expect(await limitedBy(requests, records)).toEqual([]);
    const open = records.map((one) => ({ ...one, ended_at: START + 100 * SECOND }));
    expect(await limitedBy(requests, open)).toEqual([2]);
  });

  it('leave the next window alone when a transaction of the one before ends', async () => {
    const gas = `gas-usage: { value: '<=700000', window: 1 minute }`;
    const records = [
      sponsored(0, { ended_at: START + 61 * SECOND, counted: '0' }),
      sponsored(60 * SECOND, { ended_at: START + 90 * SECOND }),
      sponsored(62 * SECOND),
    ];
    expect(await limitedBy(gas, records)).toEqual([2]);
  });

  it('count each sponsor, and each group, by itself', async () => {
    const records = [0, 1, 2, 3].map((after) =>
      sponsored(after, { sponsor: after % 2 === 0 ? '0x5' : '0x6' }),
    );
    expect(await limitedBy(requests, records)).toEqual([]);
    const bySender = `requests: { value: '<=1', window: 1 day, count-by: [sender-address] }`;
    const senders = [ALICE, BOB, ALICE].map((sender, after) =>
      sponsored(after, { transaction: bytesOf(sender) }),
    );
    expect(await limitedBy(bySender, senders)).toEqual([2]);
  });

  it('may be totals, which are not renewed', async () => {
    const total = `requests: { value: '<=1', total: true }`;
    expect(await limitedBy(total, [sponsored(0), sponsored(1), sponsored(2)])).toEqual([1, 2]);
  });

  it('include the budgets of tokens and of the sponsor', async () => {
    const budget = readCaps(
      readYaml('budget: { value: 1000000, window: 1 day }').require('budget'),
      { kind: 'token', name: 'shop' },
    );
    const tokens = new Map([['shop', { ruleSet: null, budget }]]);
    const records = [sponsored(0), sponsored(1), sponsored(2, { token: 'other' })];
    const report = await replay({ inForce: ALL, proposed: ALL, tokens }, records);
    expect(report).toMatchObject({ changed: 0, unlike_recorded: 1 });
    const proposed = `${ALL}\n  sponsor-budget: { value: 1000000, window: 1 day }\n`;
    const capped = await replay({ inForce: ALL, proposed }, records);
    expect(changedBy(capped)).toEqual(
      records.slice(1).map(({ digest }) => `allow limited ${digest}`),
    );
    expect(capped.by_rule).toMatchObject([{ to_rule: null, count: 2 }]);
  });
});
