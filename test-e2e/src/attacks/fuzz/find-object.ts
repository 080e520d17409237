import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Reservation } from '../../support/application.js';
import type { ObjectRef } from '../../support/raw-transaction.js';
import type { ObjectPlan } from './adversarial-plan.js';
import type { LedgerWorld } from './ledger-world.js';

const SOME_DIGEST = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';

/** The object that a plan of `user` refers to; undefined if no such object exists. */
export function findObject(
  { what, index }: ObjectPlan,
  world: LedgerWorld,
  user: Ed25519Keypair,
  reservation: Reservation,
): ObjectRef | undefined {
  const own = world.ownedBy(user);
  const others = world.ownedByOthers(user);
  const fixed = (objectId: string) => [{ objectId, version: 1, digest: SOME_DIGEST }];
  const choices: readonly ObjectRef[] = {
    'own car': own.cars,
    'own coin': own.coins,
    'car of another': others.cars,
    'coin of another': others.coins,
    'coin of the sponsor': world.ownedBySponsor(),
    'reserved coin': reservation.gas_coins,
    package: [...fixed('0x2'), ...fixed('0xdec0')],
    clock: fixed('0x6'),
    counter: fixed(world.counterId),
    'made up': [],
    deleted: world.deleted(),
  }[what];
  return choices[index % Math.max(1, choices.length)];
}
