import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, call, sponsor } from '../support/application.js';
import { useLedgerUser } from '../support/use-events.js';
import { useSystem } from '../support/use-system.js';
import { createAccount, PASSWORD, sponsorAccount, workOf } from './abstract-accounts.js';

const ATTEMPTS = 15;
/** Failures of one token's abstract accounts in an hour. */
const MOST_FAILURES = 10;

const rules = (lines: string) =>
  `access-controller:\n  access-policy: deny-all\n  rules:\n${lines}`;
const EVERYBODY = `    - { sender-address: '*', action: allow }\n`;

const system = useSystem((files) => ({
  env: {
    EXECUTE_WAIT_MS: '2000',
    ACCESS_RULES_FILE: files.write('rules.yaml', rules(EVERYBODY)),
  },
}));
const user = useLedgerUser(system);

describe('abstract accounts that only a rule allows', () => {
  let [named, other]: string[] = [];
  beforeAll(async () => {
    named = await createAccount(system, user);
    other = await createAccount(system, user);
    const rule = `    - { sender-address: '${named}', abstract-account: true, action: allow }\n`;
    system.files.write('rules.yaml', rules(rule + EVERYBODY));
    const reload = await call(system.application, 'GET', '/v1/reload_access_controller');
    expect(reload.status).toBe(200);
  });

  async function attempts(account: string, password: bigint): Promise<Answer[]> {
    const answers: Answer[] = [];
    while (answers.length < ATTEMPTS) {
      answers.push(await sponsorAccount(system, account, password));
    }
    return answers;
  }

  it('are sponsored if the rule names them', async () => {
    const { status, body } = await sponsorAccount(system, named!, PASSWORD);
    expect([status, body.effects?.status]).toEqual([200, { status: 'success' }]);
  });

  it('cost no dry run, submission or coin if a rule for everybody decides', async () => {
    const before = await workOf(system);
    const answers = await attempts(other!, PASSWORD);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    expect(answers[0]!.body.error).toContain('nor an access rule allows them');
    const { submissions, dryRuns, quarantined } = await workOf(system);
    expect({ submissions, dryRuns, quarantined }).toEqual({
      submissions: before.submissions,
      dryRuns: before.dryRuns,
      quarantined: before.quarantined,
    });
  });

  it('fail as often as those of the configuration, then the token’s others fail too', async () => {
    const before = await workOf(system);
    const answers = await attempts(named!, PASSWORD + 1n);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(ATTEMPTS - MOST_FAILURES);
    const after = await workOf(system);
    expect(after.submissions - before.submissions).toBeLessThanOrEqual(MOST_FAILURES);
    expect(after.quarantined).toBeLessThanOrEqual(MOST_FAILURES);
    expect((await sponsorAccount(system, named!, PASSWORD)).status).toBe(429);
    expect((await sponsor(system.application)).answer.status).toBe(200);
  });
});
