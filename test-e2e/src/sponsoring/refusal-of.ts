import { expect } from '@jest/globals';
import {
  buildSponsored,
  executeTx,
  reserved,
  type Reservation,
  type TransactionOptions,
} from '../support/application.js';
import { system } from '../support/systems/usual-system.js';

/** Execute's answer to a transaction with a new reservation, which must stay usable. */
export async function refusalOf(
  make: (reservation: Reservation) => TransactionOptions,
): Promise<{ status: number; error: unknown; digest: string }> {
  const reservation = await reserved(system.application);
  const wrong = await buildSponsored(system.application, reservation, make(reservation));
  const answer = await executeTx(system.application, reservation, wrong);
  const corrected = await buildSponsored(system.application, reservation);
  const after = await executeTx(system.application, reservation, corrected);
  expect(after.body.effects?.status.status).toBe('success');
  return { status: answer.status, error: answer.body.error, digest: wrong.digest };
}
