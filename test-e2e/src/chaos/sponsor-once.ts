import { setTimeout as delay } from 'node:timers/promises';
import type { DevnetControl } from '@forecourt/testing/system';
import type { IotaClient } from '@iota/iota-sdk/client';
import {
  type Application,
  buildSponsored,
  type Reservation,
  type TransactionOptions,
} from '../application.js';
import { callUntilDefinite, type Gateways, readAnswer, tryCall } from './call-gateway.js';
import type { Answer, Behaviour, SponsoredCall } from './sponsored-call.js';

const EXECUTE = '/v1/execute_tx';
const USUAL_BUDGET = 10_000_000;
const STRANGER = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
const BUILD_AGAIN_MS = 200;

/** What clients have in common. */
export interface ClientParts {
  readonly gateways: Gateways;
  readonly ledger: IotaClient;
  readonly control: Pick<DevnetControl, 'lock'>;
  /** Aborted: no new transaction is begun. */
  readonly stopping: AbortSignal;
  /** Aborted: what is under way is given up. */
  readonly givenUp: AbortSignal;
  /** How likely each behaviour is. */
  readonly behaviours: Readonly<Partial<Record<Behaviour, number>>>;
  /** Every transaction that any client asked for. */
  readonly calls: SponsoredCall[];
}

/** One transaction, and how it is asked for. */
export interface Request {
  readonly client: number;
  readonly action: string;
  readonly behaviour: Behaviour;
  readonly gateway: number;
  readonly hangUpMs: number;
  readonly durationSecs: number;
  readonly requestType: string;
  readonly options: TransactionOptions;
}

/** Reserves for a transaction; null: nobody answered in time, or there was a surprise. */
export async function reserve(
  { gateways, givenUp }: ClientParts,
  { gateway, durationSecs, options }: Request,
): Promise<Reservation | null> {
  const request = {
    gas_budget: options.gasBudget ?? USUAL_BUDGET,
    reserve_duration_secs: durationSecs,
  };
  const reserved = await callUntilDefinite(gateways, gateway, '/v1/reserve_gas', request, givenUp);
  if (reserved === null) return null;
  if (reserved.status === 200) return reserved.body.result as unknown as Reservation;
  gateways.surprises.push(`reserve answered ${reserved.status} ${reserved.body.error}`);
  return null;
}

/** Builds, signs and executes; the first definite answer, null when there is none. */
export async function executeOnce(
  parts: ClientParts,
  request: Request,
  reservation: Reservation,
): Promise<Answer | null> {
  const { gateways, control, calls, givenUp } = parts;
  const { client, action, behaviour, gateway, hangUpMs, requestType, options } = request;
  const transaction = await buildInTime(parts, reservation, options);
  if (!transaction) return null;
  if (behaviour === 'locked') {
    // A coin that has moved on since is held at its new version, and troubles whoever has it now.
    await control.lock(reservation.gas_coins[0]!.objectId, STRANGER).catch(() => undefined);
  }
  const call: SponsoredCall = {
    client,
    action,
    behaviour,
    digest: transaction.digest,
    answers: [],
    waitedMs: null,
    txBytes: transaction.tx_bytes,
    userSig: transaction.user_sig,
    reservationId: reservation.reservation_id,
    coins: reservation.gas_coins.map(({ objectId, version }) => `${objectId}@${version}`),
  };
  calls.push(call);
  const body = executeBody(call, requestType);
  const since = performance.now();
  if (behaviour === 'impatient' || behaviour === 'careless') {
    await tryCall(gateways, gateway, EXECUTE, body, AbortSignal.timeout(hangUpMs));
    if (behaviour === 'careless') return null;
  }
  const tries = behaviour === 'twice' ? [gateway, gateway + 1] : [gateway + 1];
  const ask = async (first: number) => {
    const answer = await callUntilDefinite(gateways, first, EXECUTE, body, givenUp);
    if (!answer) return;
    call.answers.push(readAnswer(answer));
    call.waitedMs ??= performance.now() - since;
  };
  await Promise.all(tries.map(ask));
  return call.answers[0] ?? null;
}

/** Asks once more for the outcome of a call. */
export async function retry(gateways: Gateways, call: SponsoredCall, givenUp: AbortSignal) {
  const body = executeBody(call, 'waitForEffectsCert');
  const answer = await callUntilDefinite(gateways, call.client, EXECUTE, body, givenUp);
  return answer && readAnswer(answer);
}

function executeBody({ reservationId, txBytes, userSig }: SponsoredCall, requestType: string) {
  return { reservation_id: reservationId, tx_bytes: txBytes, user_sig: userSig, requestType };
}

/** The client reads the same node, which may be down just now, or not show yet what the client has made. */
async function buildInTime(
  { ledger, givenUp }: ClientParts,
  reservation: Reservation,
  options: TransactionOptions,
) {
  const application: Application = { url: '', token: '', ledger };
  while (!givenUp.aborted) {
    try {
      return await buildSponsored(application, reservation, options);
    } catch {
      await delay(BUILD_AGAIN_MS);
    }
  }
  return null;
}
