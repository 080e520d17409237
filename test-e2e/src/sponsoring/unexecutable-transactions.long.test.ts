import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { sponsor } from '../support/application.js';
import { refusalOf } from './refusal-of.js';
import { system } from '../support/systems/usual-system.js';

describe('a transaction that can never execute', () => {
  const NOWHERE = `0x${'bad'.padStart(64, '0')}`;
  const someDigest = '11111111111111111111111111111112';

  async function carOf(owner: string) {
    const { answer } = await sponsor(system.application, {
      build: (tx) => {
        const args = [tx.pure.string('Mini'), tx.pure.address(owner)];
        tx.moveCall({ target: '0xdec0::garage::build_car', arguments: args });
      },
    });
    await system.control.untilShown();
    const [created] = answer.body.effects!.created!;
    return created!.reference;
  }

  const give =
    (car: { objectId: string; version: number | string; digest: string }) => (tx: Transaction) =>
      void tx.transferObjects([tx.objectRef({ ...car })], '0xb0b');

  it.each<[string, RegExp, (user: string) => Promise<(tx: Transaction) => void>]>([
    [
      'calls a package that does not exist',
      /Dependent package not found on-chain/,
      async () => (tx) => void tx.moveCall({ target: `${NOWHERE}::m::f` }),
    ],
    [
      'takes a shared object that does not exist',
      /Could not find the referenced object/,
      async () => (tx) => {
        const shared = { objectId: NOWHERE, initialSharedVersion: 1, mutable: true };
        tx.moveCall({ target: '0xdec0::garage::count', arguments: [tx.sharedObjectRef(shared)] });
      },
    ],
    [
      'takes an object at a future version',
      /Could not find the referenced object/,
      async (user) => {
        const car = await carOf(user);
        return give({ ...car, version: Number(car.version) + 5 });
      },
    ],
    [
      'takes an object with another digest',
      /Invalid Object digest/,
      async (user) => give({ ...(await carOf(user)), digest: someDigest }),
    ],
    [
      'takes another user’s object',
      /not signed by the correct sender/,
      async () => give(await carOf(NOWHERE)),
    ],
  ])('is not signed when it %s', async (_what, words, make) => {
    const user = new Ed25519Keypair();
    const build = await make(user.toIotaAddress());
    const { status, error, digest } = await refusalOf(() => ({ build, user }));
    // A node that is behind would not show them either.
    const isMissing = /not found|Could not find/.test(words.source);
    expect([status, error]).toEqual([isMissing ? 503 : 400, expect.stringMatching(words)]);
    expect(await system.control.submissionsOf(digest)).toBe(0);
    expect((await system.totals()).coins.quarantined).toBe(0n);
  });
});
