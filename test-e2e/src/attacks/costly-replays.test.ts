import { beforeAll, describe, expect, it } from '@jest/globals';
import { openReplay, readEvents, replay, reportOf } from '../access/replayed-traffic.js';
import { callerOf } from '../history/history-callers.js';
import { call, readClock, sponsor } from '../support/application.js';
import { system } from '../support/systems/history-system.js';

/** As many as two nested loops may iterate over. */
const CALLS = 140;
/** Each takes seconds. */
const TRANSACTIONS = 8;
const LOOPS = 'tx.calls.all(a, tx.calls.all(b, a.name == b.name)) && token == "nobody"';
const COSTLY = [
  'access-controller:\n  access-policy: deny-all\n  rules:\n',
  ...Array.from({ length: 2_000 }, () => `  - { expression: '${LOOPS}', action: allow }\n`),
].join('');
const CHEAP = 'access-controller:\n  access-policy: deny-all\n';

let from: number;
beforeAll(async () => {
  from = Date.now();
  const build = (tx: Parameters<typeof readClock>[0]) => {
    for (let count = 0; count < CALLS; count += 1) readClock(tx);
  };
  for (let count = 0; count < TRANSACTIONS; count += 1) {
    expect((await sponsor(callerOf('shop'), { build })).answer.status).toBe(200);
  }
  const decided = async () => (await reportOf(callerOf('ops'), { rules: CHEAP, from })).decided;
  await system.until(async () => (await decided()) === TRANSACTIONS);
});

/** The longest time in ms of calls that are made until `isOver`. */
async function longestCall(isOver: () => boolean): Promise<number> {
  let longest = 0;
  while (!isOver()) {
    const begun = performance.now();
    expect((await call(callerOf('shop'), 'GET', '/v1/caller')).status).toBe(200);
    longest = Math.max(longest, performance.now() - begun);
  }
  return longest;
}

describe('a replay of rules that are meant to hang', () => {
  it('is stopped, and holds up no other request', async () => {
    const hanging = await openReplay(callerOf('audit'), { rules: COSTLY, from });
    let isOver = false;
    const events = hanging
      .text()
      .then(readEvents)
      .finally(() => (isOver = true));
    const longest = longestCall(() => isOver);
    const other = await replay(callerOf('ops'), { rules: CHEAP, from });
    expect(other).toMatchObject({ status: 429, code: 'REPLAY_RUNNING' });
    expect(await events).toMatchObject({ error: { code: 'REPLAY_TOO_COSTLY' } });
    expect(await longest).toBeLessThan(1_000);
    const next = await replay(callerOf('ops'), { rules: CHEAP, from });
    expect(next.events).toMatchObject({ result: { changed: TRANSACTIONS } });
  });

  it('ends when its client leaves', async () => {
    const left = new AbortController();
    await openReplay(callerOf('audit'), { rules: COSTLY, from }, left.signal);
    const other = await replay(callerOf('ops'), { rules: CHEAP, from });
    expect(other).toMatchObject({ status: 429, code: 'REPLAY_RUNNING' });
    left.abort();
    await system.until(async () => {
      const next = await replay(callerOf('ops'), { rules: CHEAP, from });
      return next.events['result'] !== undefined;
    });
  });
});

describe('a replay', () => {
  it.each([
    ['too many rules', 'x'.repeat(300_000), 400, 'INVALID_REQUEST'],
    ['more than a body may have', 'x'.repeat(2_000_000), 413, 'PAYLOAD_TOO_LARGE'],
    ['deep nesting', `a: ${'['.repeat(100_000)}`, 400, 'ACCESS_RULES_INVALID'],
    [
      'aliases of aliases',
      [
        'a: &a [x, x]',
        ...'bcdefghijkl'
          .split('')
          .map((c, i) => `${c}: &${c} [*${'abcdefghijk'[i]}, *${'abcdefghijk'[i]}]`),
      ].join('\n'),
      400,
      'ACCESS_RULES_INVALID',
    ],
    [
      'a file of the gateway',
      `${CHEAP}  rules:\n  - { sender-address: { file: /etc/passwd }, action: allow }\n`,
      400,
      'ACCESS_RULES_INVALID',
    ],
  ])('of %s is refused at once', async (_what, rules, status, code) => {
    expect(await replay(callerOf('audit'), { rules, from })).toMatchObject({ status, code });
  });

  it('is for operators and auditors only', async () => {
    for (const name of ['shop', 'alice']) {
      const answer = await replay(callerOf(name), { rules: CHEAP, from });
      expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    }
  });
});
