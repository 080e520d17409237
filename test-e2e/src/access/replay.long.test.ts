import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ReplayReport } from '@forecourt/policy/replay';
import { call, reserveGas, sponsor } from '../support/application.js';
import { applicationOf, tokenEntry, tokensFile } from '../support/tokens-file.js';
import { useSystem } from '../support/use-system.js';
import { replay, reportOf } from './replayed-traffic.js';

const CLOCK = `move-call-function: '0x2::clock::timestamp_ms'`;
const ofShop = `    - { name: shop, token: shop, ${CLOCK}, action: allow }\n`;
const ofOther = (most: number) =>
  `    - { name: few, token: other, ${CLOCK}, requests: { value: '<=${most}', window: 1 hour }, action: allow }\n`;
const denyAllBut = (...rules: string[]) =>
  `access-controller:\n  access-policy: deny-all\n  rules:\n${rules.join('')}`;
const IN_FORCE = denyAllBut(ofShop, ofOther(2));

const system = useSystem((files) => ({
  history: 1,
  env: {
    TOKENS_FILE: files.write(
      'tokens.yaml',
      tokensFile(
        tokenEntry('shop', ['role: sponsor', 'budget: { value: 5 IOTA, window: 1 day }']),
        tokenEntry('other'),
        tokenEntry('stranger'),
        tokenEntry('ops', ['role: operator']),
        tokenEntry('audit', ['role: auditor']),
      ),
    ),
    ACCESS_RULES_FILE: files.write('rules.yaml', IN_FORCE),
  },
}));
const callerOf = (name: string) => applicationOf(name, system.application);

let from: number;
const digests: Record<string, string> = {};

beforeAll(async () => {
  from = Date.now();
  const statuses = [];
  const pay = async (name: string, token: string, transfers = false) => {
    const user = new Ed25519Keypair();
    const done = await sponsor(callerOf(token), {
      user,
      ...(transfers && {
        build: (tx) => tx.transferObjects([tx.splitCoins(tx.gas, [1])], user.toIotaAddress()),
      }),
    });
    digests[name] = done.transaction.digest;
    statuses.push(done.answer.status);
  };
  await pay('shop 1', 'shop');
  await pay('other 1', 'other');
  await pay('other 2', 'other');
  await pay('other 3', 'other');
  await pay('shop 2', 'shop');
  statuses.push((await reserveGas(callerOf('stranger'))).status);
  expect(statuses).toEqual([200, 200, 200, 429, 200, 403]);
  // A list shows those in the pools too, which no replay reads.
  const decided = async () => pageOf(await listed('audit', '')).data;
  await system.until(async () => (await decided()).length === 6);
});

const listed = (name: string, more: string, route = 'decisions') => {
  const period = `from=${from}&to=${Date.now() + 60_000}`;
  return call(callerOf(name), 'GET', `/v1/access/${route}?${period}${more}`);
};

const pageOf = ({ body }: Awaited<ReturnType<typeof listed>>) =>
  body.result as unknown as {
    readonly data: readonly { readonly digest: string; readonly transaction: string }[];
    readonly next_cursor: string | null;
  };

const tried = (name: string, proposed: string, more: { token?: string } = {}) =>
  reportOf(callerOf(name), {
    inForce: IN_FORCE,
    proposed,
    from,
    tokens: system.files.pathOf('tokens.yaml'),
    ...more,
  });

const changesOf = (report: ReplayReport) =>
  report.examples.flatMap(({ from: before, to, data }) =>
    data.map(({ digest }) => `${before} ${to} ${digest}`),
  );

describe('a replay of past traffic', () => {
  it('with the rules in force changes nothing, and is like what was recorded', async () => {
    const report = await tried('audit', IN_FORCE);
    expect(report).toMatchObject({
      decided: 6,
      changed: 0,
      by_another_rule: 0,
      unlike_recorded: 0,
      not_replayable: { sponsorships: 0, refusals: 0, only_counted: 0 },
    });
    expect(report.notes[0]).toContain('from the beginning of the period');
  });

  it('without a rule names exactly the transactions that it decides', async () => {
    const report = await tried('ops', denyAllBut(ofShop));
    expect(changesOf(report).sort()).toEqual(
      [
        `allow deny ${digests['other 1']}`,
        `allow deny ${digests['other 2']}`,
        `limited deny ${digests['other 3']}`,
      ].sort(),
    );
    expect(report.by_rule.map(({ from_rule: rule, count }) => [rule, count])).toEqual([
      ['few', 2],
      ['few', 1],
    ]);
    const gas = report.by_token.find(({ from: before }) => before === 'allow')!.gas;
    expect(Number(gas)).toBeGreaterThan(0);
    const ofOne = await tried('ops', denyAllBut(ofShop), { token: 'shop' });
    expect(ofOne).toMatchObject({ decided: 2, changed: 0 });
  });

  it('counts limits in the order of time', async () => {
    const narrower = await tried('audit', denyAllBut(ofShop, ofOther(1)));
    expect(changesOf(narrower)).toEqual([`allow limited ${digests['other 2']}`]);
    const wider = await tried('audit', denyAllBut(ofShop, ofOther(3)));
    expect(changesOf(wider)).toEqual([`limited allow ${digests['other 3']}`]);
    const [{ data: [one] = [] } = {}] = wider.examples;
    expect(one).toMatchObject({ token: 'other', recorded: 'limited', gas: null });
  });

  it('cannot decide about the transaction of a refused reservation', async () => {
    const open = `    - { name: all, token: stranger, action: allow }\n`;
    const report = await tried('audit', denyAllBut(ofShop, ofOther(2), open));
    expect(report.changes).toMatchObject([{ from: 'deny', to: 'undecided', count: 1 }]);
  });

  it('reads the files that the rules name, and writes a table for people', async () => {
    const friends = system.files.write('friends.txt', `0x1 # nobody\n`);
    const rule = `    - { name: friends, sender-address: { file: ${friends} }, action: allow }\n`;
    const replayed = { inForce: IN_FORCE, proposed: denyAllBut(rule, ofShop), from };
    expect(await reportOf(callerOf('audit'), replayed)).toMatchObject({ decided: 6, changed: 4 });
    const text = await replay(callerOf('audit'), { ...replayed, token: 'other' });
    expect(text).toContain(digests['other 1']);
    expect(text).toMatch(/would change +3/);
  });

  it('fails with the line of a mistake, or with what the gas station says', async () => {
    await expect(tried('audit', 'access-controller: 1')).rejects.toThrow('line 1');
    await expect(tried('shop', IN_FORCE)).rejects.toThrow('lacks the role');
  });
});

describe('recorded decisions', () => {
  it('have the bytes of transactions, for operators and auditors alone', async () => {
    for (const name of ['shop', 'other']) {
      expect((await listed(name, '')).status).toBe(403);
      expect((await listed(name, '', 'decisions/missing')).status).toBe(403);
    }
    const { data } = pageOf(await listed('ops', '&token=shop'));
    expect(data.map(({ digest }) => digest)).toEqual([digests['shop 1'], digests['shop 2']]);
    expect(data.every(({ transaction }) => transaction.length > 100)).toBe(true);
    const { body } = await listed('audit', '', 'decisions/missing');
    expect(body.result).toMatchObject({ sponsorships: 0, refusals: 0 });
  });

  it('come in pages, whose cursors fit one query', async () => {
    const period = `from=${from}&to=${Date.now()}`;
    const read = (more: string) =>
      call(callerOf('audit'), 'GET', `/v1/access/decisions?${period}&limit=4${more}`);
    const first = pageOf(await read(''));
    const second = pageOf(await read(`&cursor=${first.next_cursor}`));
    expect([first.data.length, second.data.length]).toEqual([4, 2]);
    expect((await read(`&token=shop&cursor=${first.next_cursor}`)).status).toBe(400);
  });

  it.each(['', 'from=1', 'from=2&to=1', 'from=0&to=1&limit=1001', 'from=0&to=1&cursor=a'])(
    'are refused for the query %j',
    async (query) => {
      const { status, body } = await call(callerOf('ops'), 'GET', `/v1/access/decisions?${query}`);
      expect([status, body.error]).toEqual([400, expect.any(String)]);
    },
  );

  it('that are missing are counted for a day at most', async () => {
    const query = `from=0&to=${from}`;
    const { status } = await call(callerOf('ops'), 'GET', `/v1/access/decisions/missing?${query}`);
    expect(status).toBe(400);
  });
});
