import { beforeAll, describe, expect, it } from '@jest/globals';
import { MoveSigner } from '@iota/iota-sdk/keypairs/move-authenticator';
import {
  type Answer,
  buildSponsored,
  executeTx,
  reserved,
  sponsor,
} from '../support/application.js';
import { useLedgerUser } from '../support/use-events.js';
import { useSystem } from '../support/use-system.js';
import {
  asUser,
  authorised,
  createAccount,
  PASSWORD,
  sponsorAccount,
  workOf,
} from './abstract-accounts.js';

/** Failures of one token's abstract accounts in an hour. */
const MOST_FAILURES = 10;
const ATTEMPTS = MOST_FAILURES + 5;

const system = useSystem({ env: { ALLOW_ABSTRACT_ACCOUNTS: 'true', EXECUTE_WAIT_MS: '2000' } });
const user = useLedgerUser(system);

describe('abstract accounts', () => {
  let account: string;
  beforeAll(async () => {
    account = await createAccount(system, user);
  });

  it('are sponsored, and their successes do not count as failures', async () => {
    for (let count = 0; count < MOST_FAILURES + 2; count++) {
      const { status, body } = await sponsorAccount(system, account, PASSWORD);
      expect([status, body.effects?.status]).toEqual([200, { status: 'success' }]);
    }
  });

  it('are refused where the authenticator is not the sender’s, or names an object that does not exist', async () => {
    const reservation = await reserved(system.application);
    const other = await authorised(system, account, PASSWORD, reservation);
    const stranger = await buildSponsored(system.application, reservation);
    const stolen = { ...stranger, user_sig: other.user_sig };
    const answer = await executeTx(system.application, reservation, stolen);
    expect(answer.status).toBe(400);
    const missing = `0x${'9'.repeat(64)}`;
    const object = { objectId: missing, version: '3', digest: '1'.repeat(32) };
    const signer = new MoveSigner({
      version: 'V1',
      callArgs: [],
      typeArgs: [],
      objectToAuthenticate: { ImmOrOwnedObject: object },
    });
    const submissions = await system.control.submissions();
    const user_sig = await signer.getSignature();
    const nobody = asUser(missing);
    const made = await buildSponsored(system.application, reservation, { user: nobody });
    const { status, body } = await executeTx(system.application, reservation, {
      ...made,
      user_sig,
    });
    expect([status, body.error]).toEqual([503, expect.stringContaining(missing)]);
    expect(await system.control.submissions()).toEqual(submissions);
  });

  it('that always fail cost a bounded number of submissions and coins, no gas, and no honest user anything', async () => {
    const before = await workOf(system);
    const answers: Answer[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      answers.push(await sponsorAccount(system, account, PASSWORD + 1n));
    }
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(ATTEMPTS - MOST_FAILURES);
    expect(refused[0]!.body.error).toContain('abstract accounts');
    const after = await workOf(system);
    expect(after.submissions - before.submissions).toBeLessThanOrEqual(MOST_FAILURES);
    expect(after.quarantined).toBeLessThanOrEqual(MOST_FAILURES);
    // One look-up and one dry run of each attempt; upkeep reads too.
    expect(after.dryRuns - before.dryRuns).toBeLessThanOrEqual(2 * ATTEMPTS);
    expect(after.reads - before.reads).toBeLessThanOrEqual(6 * ATTEMPTS);
    const honest = await sponsor(system.application);
    expect(honest.answer.status).toBe(200);
    await system.control.advanceEpoch();
    await system.until(async () => (await system.totals()).coins.quarantined === 0n);
    expect(await system.differences()).toEqual([]);
  });
});
