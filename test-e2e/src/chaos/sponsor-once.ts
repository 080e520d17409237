import { setTimeout as delay } from 'node:timers/promises';
import type { DevnetControl } from '@forecourt/testing/system';
import type { IotaClient } from '@iota/iota-sdk/client';
import {
  type Application,
  buildSponsored,
  type Reservation,
  type TransactionOptions,
} from '../support/application.js';
import { callUntilDefinite, type Gateways, readAnswer, tryCall } from './call-gateway.js';
import type { Answer, Behaviour, SponsoredCall } from './sponsored-call.js';

const EXECUTE = '/v1/execute_tx';
const USUAL_BUDGET = 10_000_000;
const STRANGER = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
const BUILD_AGAIN_MS = 200;

/** Objects that all clients use. */
export interface ClientParts {
  readonly gateways: Gateways;
  readonly ledger: IotaClient;
  readonly control: Pick<DevnetControl, 'lock'>;
  /** When it is aborted, no new transaction begins. */
  readonly stopping: AbortSignal;
  /** When it is aborted, requests under way are abandoned. */
  readonly givenUp: AbortSignal;
  /** The weight of each behaviour. */
  readonly behaviours: Readonly<Partial<Record<Behaviour, number>>>;
  /** Every transaction that any client requested. */
  readonly calls: SponsoredCall[];
}

/** One transaction, and how its client requests it. */
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

/** Reserves for a transaction; null: no answer in time, or an unexpected one. */
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

/** Builds, signs and executes; returns the first definite answer, null if there is none. */
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
    // A coin that has moved on is locked at its new version, which disturbs its current user.
    await control.lock(reservation.gas_coins[0]!.objectId, STRANGER).catch(() => undefined);
  }
  const call: SponsoredCall = {
    client,
    action,
    behaviour,
    digest: transaction.digest,
    answers: [],
    waitedMs: null,
    answeredAt: null,
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
    call.answeredAt ??= Date.now();
  };
  await Promise.all(tries.map(ask));
  return call.answers[0] ?? null;
}

/** Requests the outcome of a call once more. */
export async function retry(gateways: Gateways, call: SponsoredCall, givenUp: AbortSignal) {
  const body = executeBody(call, 'waitForEffectsCert');
  const answer = await callUntilDefinite(gateways, call.client, EXECUTE, body, givenUp);
  return answer && readAnswer(answer);
}

function executeBody({ reservationId, txBytes, userSig }: SponsoredCall, requestType: string) {
  return { reservation_id: reservationId, tx_bytes: txBytes, user_sig: userSig, requestType };
}

/** The client reads the same node, which may be down or may not show the client's objects yet. */
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
