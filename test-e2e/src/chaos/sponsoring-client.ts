import { randomBytes } from 'node:crypto';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { readClock, type TransactionOptions } from '../support/application.js';
import { driveInSequence } from './drive-in-sequence.js';
import { repeatWhileRefused } from './repeat-while-refused.js';
import type { Seeded } from '../support/seeded.js';
import type { Behaviour } from './sponsored-call.js';
import { type ClientParts, executeOnce, type Request, reserve } from './sponsor-once.js';

/** More than two coins of the pool hold. */
const COSTLY_BUDGET = 250_000_000;

/** Reserves, builds, signs and executes, one action after another, as the seed decides. */
export async function runClient(parts: ClientParts, client: number, seeded: Seeded): Promise<void> {
  // A client runs once in each round.
  const run = randomBytes(3).toString('hex');
  for (let count = 0; !parts.stopping.aborted; count++) {
    const behaviour = seeded.weighted(parts.behaviours);
    const request: Request = {
      client,
      behaviour,
      action: `${client}.${run}.${count}`,
      gateway: seeded.integer(0, 1),
      hangUpMs: seeded.integer(1, 200),
      durationSecs: behaviour === 'forgetful' ? 2 : seeded.integer(15, 40),
      requestType: seeded.pick(['waitForEffectsCert', 'waitForLocalExecution']),
      options: optionsOf(behaviour),
    };
    if (behaviour === 'by reference' || behaviour === 'by id') {
      await driveInSequence(parts, request, seeded.integer(2, 5));
    } else {
      await actOnce(parts, request);
    }
  }
}

/** One action: a transaction, and replacements as long as they are refused. */
async function actOnce(parts: ClientParts, first: Request): Promise<void> {
  const { behaviour } = first;
  await repeatWhileRefused(parts, async (attempt) => {
    // After a refusal of an unusual transaction, the client builds an ordinary one.
    const request = attempt > 0 && behaviour !== 'costly' ? asPlain(first) : first;
    const reservation = await reserve(parts, request);
    if (reservation === null || behaviour === 'forgetful') return null;
    const answer = await executeOnce(parts, request, reservation);
    // The price is corrected in a transaction with the same coins.
    const isCorrected = attempt === 0 && behaviour === 'underpriced';
    return isCorrected ? executeOnce(parts, asPlain(first), reservation) : answer;
  });
}

function asPlain(request: Request): Request {
  return { ...request, behaviour: 'plain', options: optionsOf('plain') };
}

function optionsOf(behaviour: Behaviour): TransactionOptions {
  switch (behaviour) {
    case 'failing':
      return { build: fail };
    case 'costly':
      return { gasBudget: COSTLY_BUDGET };
    case 'underpriced':
      return { gasPrice: 1 };
    case 'plain':
    case 'impatient':
    case 'twice':
    case 'careless':
    case 'forgetful':
    case 'locked':
    case 'by reference':
    case 'by id':
      return { build: readClock };
  }
}

function fail(tx: Transaction): void {
  tx.moveCall({ target: '0xdec0::garage::fail', arguments: [tx.pure.u64(1)] });
}
