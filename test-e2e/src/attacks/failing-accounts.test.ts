import { beforeAll, describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { MoveAuthenticatorBuilder, MoveSigner } from '@iota/iota-sdk/keypairs/move-authenticator';
import {
  type Answer,
  buildSponsored,
  executeTx,
  reserved,
  type SignedTransaction,
  sponsor,
} from '../support/application.js';
import { useLedgerUser } from '../support/use-events.js';
import { useSystem } from '../support/use-system.js';

const PASSWORD = 4_711n;
/** Failures of one token's abstract accounts in an hour. */
const MOST_FAILURES = 10;
const ATTEMPTS = MOST_FAILURES + 5;

const system = useSystem({ env: { ALLOW_ABSTRACT_ACCOUNTS: 'true', EXECUTE_WAIT_MS: '2000' } });
const user = useLedgerUser(system);

/** A transaction of the account, authorised with this password. */
async function authorised(
  account: string,
  password: bigint,
  reservation: Awaited<ReturnType<typeof reserved>>,
): Promise<SignedTransaction> {
  const authenticator = await new MoveAuthenticatorBuilder(account)
    .addPure(bcs.u64().serialize(password).toBytes())
    .finish(system.ledger);
  const signer = new MoveSigner(authenticator);
  const unsigned = new Ed25519Keypair();
  const asAccount = Object.assign(unsigned, { toIotaAddress: () => account });
  const transaction = await buildSponsored(system.application, reservation, { user: asAccount });
  return { ...transaction, user_sig: await signer.getSignature() };
}

async function sponsorAccount(account: string, password: bigint): Promise<Answer> {
  const reservation = await reserved(system.application);
  const transaction = await authorised(account, password, reservation);
  return executeTx(system.application, reservation, transaction);
}

describe('abstract accounts', () => {
  let account: string;
  beforeAll(async () => {
    const { created } = await user.run((tx) => {
      const target = '0xdec0::account::create';
      tx.moveCall({ target, arguments: [tx.pure.u64(PASSWORD)] });
    });
    [account] = created as [string];
    await system.control.untilShown();
  });

  it('are sponsored, and their successes do not count as failures', async () => {
    for (let count = 0; count < MOST_FAILURES + 2; count++) {
      const { status, body } = await sponsorAccount(account, PASSWORD);
      expect([status, body.effects?.status]).toEqual([200, { status: 'success' }]);
    }
  });

  it('are refused where the authenticator is not the sender’s, or names an object that does not exist', async () => {
    const reservation = await reserved(system.application);
    const other = await authorised(account, PASSWORD, reservation);
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
    const asMissing = Object.assign(new Ed25519Keypair(), { toIotaAddress: () => missing });
    const made = await buildSponsored(system.application, reservation, { user: asMissing });
    const { status, body } = await executeTx(system.application, reservation, {
      ...made,
      user_sig,
    });
    expect([status, body.error]).toEqual([503, expect.stringContaining(missing)]);
    expect(await system.control.submissions()).toEqual(submissions);
  });

  it('that always fail cost a bounded number of submissions and coins, no gas, and no honest user anything', async () => {
    const before = {
      coins: await system.settledTotals(),
      submitted: Object.keys(await system.control.submissions()).length,
      reads: await system.control.requestsOf('iota_multiGetObjects'),
      dryRuns: await system.control.requestsOf('iota_dryRunTransactionBlock'),
    };
    const answers: Answer[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      answers.push(await sponsorAccount(account, PASSWORD + 1n));
    }
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(ATTEMPTS - MOST_FAILURES);
    expect(refused[0]!.body.error).toContain('abstract accounts');
    const gained = {
      submissions: Object.keys(await system.control.submissions()).length - before.submitted,
      quarantined: Number((await system.totals()).coins.quarantined),
      reads: (await system.control.requestsOf('iota_multiGetObjects')) - before.reads,
      dryRuns: (await system.control.requestsOf('iota_dryRunTransactionBlock')) - before.dryRuns,
    };
    expect(gained.submissions).toBeLessThanOrEqual(MOST_FAILURES);
    expect(gained.quarantined).toBeLessThanOrEqual(MOST_FAILURES);
    // One look-up and one dry run of each attempt; upkeep reads too.
    expect(gained.dryRuns).toBeLessThanOrEqual(2 * ATTEMPTS);
    expect(gained.reads).toBeLessThanOrEqual(6 * ATTEMPTS);
    const honest = await sponsor(system.application);
    expect(honest.answer.status).toBe(200);
    await system.control.advanceEpoch();
    await system.until(async () => (await system.totals()).coins.quarantined === 0n);
    expect(await system.differences()).toEqual([]);
  }, 120_000);
});
