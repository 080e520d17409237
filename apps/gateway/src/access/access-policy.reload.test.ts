import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller, hashToken } from '@forecourt/policy/tokens';
import { createLogger } from '@forecourt/runtime/service';
import { partial, TemporaryFolder } from '@forecourt/testing/jest';
import { AccessPolicy } from './access-policy.js';

const logger = createLogger('test', 'fatal');
const folder = new TemporaryFolder();
afterAll(() => folder.remove());

let policy: AccessPolicy;

beforeEach(async () => {
  write('deny-all', 'strict');
  policy = await load();
});

/** Files with one token, `shop`, which has the rule set `strict`, or none where `ruleSet` is null. */
function write(general: string, ruleSet: 'strict' | null) {
  const named = ruleSet === null ? '' : `, rule-set: ${ruleSet}`;
  const hash = hashToken('secret').toString('hex');
  return {
    tokensFile: folder.write(
      'tokens.yaml',
      `tokens:\n  - { name: shop, hash: ${hash}, role: sponsor${named} }\n`,
    ),
    accessRulesFile: folder.write(
      'rules.yaml',
      `access-controller:\n  access-policy: ${general}\n${ruleSet === null ? '' : '  rule-sets: { strict: { access-policy: deny-all } }\n'}`,
    ),
  };
}

function load(): Promise<AccessPolicy> {
  const settings = {
    tokens: [],
    allowUnauthenticated: false,
    tokensFile: folder.pathOf('tokens.yaml'),
    accessRulesFile: folder.pathOf('rules.yaml'),
  };
  return AccessPolicy.load(
    settings,
    partial({ requireWritable: () => undefined, write: () => undefined }),
    logger,
  );
}

const arrivingCaller = async () => (await policy.tokens.callerOf('Bearer secret'))!;

function reserve(caller: Caller): void {
  const reservation = { gasBudget: 1, durationSecs: 1 };
  const subject = { caller: caller.token, reservation, time: new Date(), sponsor: null };
  policy.decideReservation(caller, subject, 'r', {});
}

describe('a request whose token was checked before a reload', () => {
  it('is decided by the rule set that its token had, although the files have none any more', async () => {
    const caller = await arrivingCaller();
    write('allow-all', null);
    await policy.reload(logger);
    expect(() => reserve(caller)).toThrow('The access rules do not allow this reservation');
    const later = await arrivingCaller();
    expect(() => reserve(later)).not.toThrow();
  });

  it('is decided by the general rules of that time, even if its token now has a rule set', async () => {
    write('deny-all', null);
    policy = await load();
    const caller = await arrivingCaller();
    write('allow-all', 'strict');
    await policy.reload(logger);
    expect(() => reserve(caller)).toThrow('The access rules do not allow this reservation');
  });
});
