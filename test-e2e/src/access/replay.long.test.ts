import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ReplayReport } from '@forecourt/contracts';
import { appProgram } from '@forecourt/testing/system';
import { reserveGas, sponsor } from '../support/application.js';
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
        tokenEntry('shop', ['role: sponsor', 'budget: { value: 5 coins, window: 1 day }']),
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
  const decided = async () =>
    (await reportOf(callerOf('audit'), { rules: IN_FORCE, from })).decided;
  await system.until(async () => (await decided()) === 6);
});

const changesOf = (report: ReplayReport) =>
  report.examples.flatMap(({ from: before, to, data }) =>
    data.map(({ digest }) => `${before} ${to} ${digest}`),
  );

describe('a replay of past traffic', () => {
  it('with the rules in force changes nothing, and is like what was recorded', async () => {
    const report = await reportOf(callerOf('audit'), { rules: IN_FORCE, from });
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
    const report = await reportOf(callerOf('ops'), { rules: denyAllBut(ofShop), from });
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
    const ofOne = await reportOf(callerOf('ops'), {
      rules: denyAllBut(ofShop),
      from,
      token: 'shop',
    });
    expect(ofOne).toMatchObject({ decided: 2, changed: 0 });
  });

  it('counts limits in the order of time', async () => {
    const narrower = await reportOf(callerOf('audit'), {
      rules: denyAllBut(ofShop, ofOther(1)),
      from,
    });
    expect(changesOf(narrower)).toEqual([`allow limited ${digests['other 2']}`]);
    const wider = await reportOf(callerOf('audit'), {
      rules: denyAllBut(ofShop, ofOther(3)),
      from,
    });
    expect(changesOf(wider)).toEqual([`limited allow ${digests['other 3']}`]);
    const [{ data: [one] = [] } = {}] = wider.examples;
    expect(one).toMatchObject({ token: 'other', recorded: 'limited', gas: null });
  });

  it('cannot decide about the transaction of a refused reservation', async () => {
    const open = `    - { name: all, token: stranger, action: allow }\n`;
    const report = await reportOf(callerOf('audit'), {
      rules: denyAllBut(ofShop, ofOther(2), open),
      from,
    });
    expect(report.changes).toMatchObject([{ from: 'deny', to: 'undecided', count: 1 }]);
  });

  it('from the command line sends the files that the rules name', async () => {
    system.files.write('friends.txt', `0x1 # nobody\n`);
    const friends = `    - { name: friends, sender-address: { file: friends.txt }, action: allow }\n`;
    const path = system.files.write('new.yaml', denyAllBut(friends, ofShop));
    const env = { ...process.env, FORECOURT_URL: system.application.url };
    const run = async (...args: string[]): Promise<string> => {
      const program = [appProgram('cli', 'forecourt.js'), 'access', 'replay', '--rules', path];
      const options = {
        env: { ...env, FORECOURT_TOKEN: callerOf('audit').token, NODE_OPTIONS: '' },
      };
      const running = promisify(execFile)(process.execPath, program.concat(args), options);
      // Decisions would change.
      const { code, stdout } = (await running.then(
        () => null,
        (error: unknown) => error,
      )) as { code: number; stdout: string };
      expect(code).toBe(1);
      return stdout;
    };
    const found = await run('--from', String(from), '--json');
    expect(JSON.parse(found)).toMatchObject({ decided: 6, changed: 4 });
    const shown = await run('--from', String(from), '--token', 'other');
    expect(shown).toContain(digests['other 1']);
    expect(shown).toMatch(/would change +3/);
    const rules = denyAllBut(friends);
    const refused = await replay(callerOf('audit'), { rules, from });
    expect(refused).toMatchObject({ status: 400, code: 'ACCESS_RULES_INVALID' });
    expect(refused.error).toContain('a replay reads no files of the gateway');
  });

  it('is refused where it cannot be made', async () => {
    const body = { rules: IN_FORCE, from };
    expect(await replay(callerOf('shop'), body)).toMatchObject({ status: 403 });
    const invalid = await replay(callerOf('audit'), { ...body, rules: 'access-controller: 1' });
    expect(invalid).toMatchObject({ status: 400, code: 'ACCESS_RULES_INVALID' });
    expect(invalid.error).toContain('line 1');
    const backwards = await replay(callerOf('audit'), { ...body, to: from - 1 });
    expect(backwards).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    system.files.write('rules.yaml', 'access-controller: {');
    const changed = await replay(callerOf('audit'), body);
    expect(changed).toMatchObject({ status: 400, code: 'ACCESS_RULES_INVALID' });
    system.files.write('rules.yaml', IN_FORCE);
  });
});
