import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { buildSponsored, executeTx, reserved, sponsor } from '../support/application.js';
import { system } from '../support/systems/usual-system.js';

interface Reference {
  readonly objectId: string;
  readonly version: string;
  readonly digest: string;
}

/** Creates a user with one coin. */
async function aVictim(): Promise<{ user: Ed25519Keypair; coin: Reference }> {
  const user = new Ed25519Keypair();
  await system.control.mint(user.toIotaAddress(), 1_000_000);
  const { data } = await system.ledger.getCoins({ owner: user.toIotaAddress() });
  const { coinObjectId: objectId, version, digest } = data[0]!;
  return { user, coin: { objectId, version, digest } };
}

/** Status that an attacker gets for naming the victim's coin in this way. */
async function answerTo(name: (tx: Transaction) => void): Promise<number> {
  const reservation = await reserved(system.application);
  const transaction = await buildSponsored(system.application, reservation, { build: name });
  return (await executeTx(system.application, reservation, transaction)).status;
}

/** Status of the victim's own transfer of the coin, at the other gateway. */
async function spends({ user, coin }: Awaited<ReturnType<typeof aVictim>>) {
  const build = (tx: Transaction) => tx.transferObjects([tx.objectRef({ ...coin })], '0xb0b');
  const { answer } = await sponsor(system.applications[1]!, { user, build });
  return answer.body.error ?? answer.body.effects?.status.status;
}

describe('another user’s object', () => {
  it.each<[string, (tx: Transaction, coin: Reference) => void]>([
    ['received', (tx, coin) => void tx.receivingRef({ ...coin })],
    [
      'received at a future version',
      (tx, coin) => void tx.receivingRef({ ...coin, version: Number(coin.version) + 1 }),
    ],
    ['owned', (tx, coin) => tx.transferObjects([tx.objectRef({ ...coin })], '0xbad')],
    [
      'shared',
      (tx, { objectId }) =>
        void tx.sharedObjectRef({ objectId, initialSharedVersion: 1, mutable: true }),
    ],
  ])('cannot be locked by naming it as %s', async (_how, name) => {
    const victim = await aVictim();
    for (let i = 0; i < 3; i++) await answerTo((tx) => name(tx, victim.coin));
    expect((await system.totals()).coins.quarantined).toBe(0n);
    expect(await spends(victim)).toBe('success');
  });

  it('cannot be locked at future versions', async () => {
    const victim = await aVictim();
    const version = Number(victim.coin.version);
    await Promise.all(
      Array.from({ length: 8 }, (_, ahead) =>
        answerTo((tx) => void tx.receivingRef({ ...victim.coin, version: version + ahead })),
      ),
    );
    expect(await spends(victim)).toBe('success');
    expect((await system.totals()).coins.quarantined).toBe(0n);
    expect(await system.differences()).toEqual([]);
  });
});
