import type { GasStation } from '@forecourt/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { describe, expect, it } from '@jest/globals';
import {
  type Application,
  buildSponsored,
  call,
  executeTx,
  reserved,
} from '../support/application.js';
import { refusalOfClient } from './refusal-of-client.js';
import { system } from '../support/systems/token-system.js';
import { applicationOf } from '../support/tokens-file.js';

const UNKNOWN_RESERVATION = 64;
/** More than `poor` may spend in a day. */
const COSTLY = 20_000_000;

const as = (name: string) => applicationOf(name, system.application);
const small = { gasBudget: 1_000_000, durationSecs: 5 };

/** Reserves and signs as one caller, and executes as another one. */
async function execute(
  by: Application,
  options: Parameters<typeof buildSponsored>[2] & { readonly as?: Application } = {},
  change: Partial<Parameters<GasStation['execute']>[0]> = {},
) {
  const reservation = await reserved(by, options.gasBudget);
  const { bytes, user_sig } = await buildSponsored(by, reservation, options);
  const reservationId = reservation.reservation_id;
  const request = { reservationId, transaction: bytes, signature: user_sig, ...change };
  const refusal = await refusalOfClient(options.as ?? by, (station) => station.execute(request));
  await call(by, 'POST', '/v1/release_gas', { reservation_id: reservationId });
  return refusal;
}

async function executeUsed() {
  const reservation = await reserved(as('shop'));
  await executeTx(as('shop'), reservation, await buildSponsored(as('shop'), reservation));
  const other = await buildSponsored(as('shop'), reservation, { user: new Ed25519Keypair() });
  const { reservation_id: reservationId } = reservation;
  const request = { reservationId, transaction: other.bytes, signature: other.user_sig };
  return refusalOfClient(as('shop'), (station) => station.execute(request));
}

async function executeAboveReserved() {
  const reservation = await reserved(as('shop'), 5_000_000, 5);
  const { bytes, user_sig } = await buildSponsored(as('shop'), reservation);
  const { reservation_id: reservationId } = reservation;
  const request = { reservationId, transaction: bytes, signature: user_sig };
  return refusalOfClient(as('shop'), (station) => station.execute(request));
}

async function whilePaused() {
  const pause = { token: 'curious', reason: 'a test' };
  await call(as('admin'), 'POST', '/v1/pause', pause);
  try {
    return await refusalOfClient(as('curious'), (station) => station.reserve(small));
  } finally {
    await call(as('admin'), 'POST', '/v1/resume', { token: 'curious' });
  }
}

const reserve = (name: string, request: object = {}) =>
  refusalOfClient(as(name), (station) => station.reserve({ ...small, ...request }));

describe('the client throws the code that the gateway answers with', () => {
  it.each<[string, number, () => ReturnType<typeof refusalOfClient>]>([
    ['INVALID_AUTHORIZATION_TOKEN', 401, () => reserve('nobody')],
    ['FORBIDDEN', 403, () => reserve('admin')],
    ['INVALID_REQUEST', 400, () => reserve('shop', { gasBudget: 0 })],
    ['RESERVATION_LIMIT', 429, () => reserve('frugal', { gasBudget: 1_500_000_000 })],
    ['PAUSED', 503, whilePaused],
    ['RESERVATION_UNKNOWN', 400, () => execute(as('shop'), { as: as('hoarder') })],
    [
      'RESERVATION_UNKNOWN',
      400,
      () => execute(as('shop'), {}, { reservationId: UNKNOWN_RESERVATION }),
    ],
    ['RESERVATION_USED', 400, executeUsed],
    ['SPENDING_LIMIT', 429, () => execute(as('poor'), { gasBudget: COSTLY })],
    [
      'INVALID_TRANSACTION_BYTES',
      400,
      () => execute(as('shop'), {}, { transaction: new Uint8Array(99) }),
    ],
    ['INVALID_SIGNATURE', 400, () => execute(as('shop'), {}, { signature: 'A'.repeat(132) })],
    ['GAS_OWNER_MISMATCH', 400, () => execute(as('shop'), { gasOwner: `0x${'5'.repeat(64)}` })],
    ['GAS_BUDGET_ABOVE_RESERVED', 400, executeAboveReserved],
  ])('%s', async (code, status, refused) => {
    const isRefusal = status < 500;
    const asksToWait = status === 429 || status === 503;
    expect(await refused()).toEqual({ code, header: code, status, isRefusal, asksToWait });
  });
});
