import type { DevnetControl } from '@forecourt/testing/system';
import { setTimeout as delay } from 'node:timers/promises';
import type { IotaClient } from '@iota/iota-sdk/client';
import type { Transaction } from '@iota/iota-sdk/transactions';
import {
  type Application,
  buildSponsored,
  readClock,
  type Reservation,
  type TransactionOptions,
} from '../application.js';
import { callUntilDefinite, type Gateways, readAnswer, tryCall } from './call-gateway.js';
import type { Seeded } from './seeded.js';
import type { Behaviour, SponsoredCall } from './sponsored-call.js';

const EXECUTE = '/v1/execute_tx';
const USUAL_BUDGET = 10_000_000;
/** More than two coins of the pool hold. */
const COSTLY_BUDGET = 250_000_000;
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

/** Reserves, builds, signs and executes, one transaction after another, as the seed decides. */
export async function runClient(parts: ClientParts, client: number, seeded: Seeded): Promise<void> {
  while (!parts.stopping.aborted) {
    const behaviour = seeded.weighted(parts.behaviours);
    const choices: Choices = {
      client,
      behaviour,
      gateway: seeded.integer(0, 1),
      hangUpMs: seeded.integer(1, 200),
      durationSecs: behaviour === 'forgetful' ? 2 : seeded.integer(15, 40),
      requestType: seeded.pick(['waitForEffectsCert', 'waitForLocalExecution']),
    };
    await sponsorOnce(parts, choices);
  }
}

interface Choices {
  readonly client: number;
  readonly behaviour: Behaviour;
  readonly gateway: number;
  readonly hangUpMs: number;
  readonly durationSecs: number;
  readonly requestType: string;
}

async function sponsorOnce(parts: ClientParts, choices: Choices): Promise<void> {
  const { gateways, givenUp } = parts;
  const { behaviour, durationSecs, gateway } = choices;
  const budget = behaviour === 'costly' ? COSTLY_BUDGET : USUAL_BUDGET;
  const request = { gas_budget: budget, reserve_duration_secs: durationSecs };
  const reserved = await callUntilDefinite(gateways, gateway, '/v1/reserve_gas', request, givenUp);
  if (reserved === null || behaviour === 'forgetful') return;
  if (reserved.status !== 200) {
    gateways.surprises.push(`reserve answered ${reserved.status} ${reserved.body.error}`);
    return;
  }
  const reservation = reserved.body.result as unknown as Reservation;
  await executeOnce(parts, choices, reservation, behaviour);
  if (behaviour === 'underpriced') await executeOnce(parts, choices, reservation, 'plain');
}

async function executeOnce(
  parts: ClientParts,
  choices: Choices,
  reservation: Reservation,
  behaviour: Behaviour,
): Promise<void> {
  const { gateways, control, calls, givenUp } = parts;
  const { client, gateway, hangUpMs, requestType } = choices;
  const transaction = await buildInTime(parts, reservation, optionsOf(behaviour));
  if (!transaction) return;
  if (behaviour === 'locked') {
    // A coin that has moved on since is held at its new version, and troubles whoever has it now.
    await control.lock(reservation.gas_coins[0]!.objectId, STRANGER).catch(() => undefined);
  }
  const call: SponsoredCall = {
    client,
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
    if (behaviour === 'careless') return;
  }
  const tries = behaviour === 'twice' ? [gateway, gateway + 1] : [gateway + 1];
  const ask = async (first: number) => {
    const answer = await callUntilDefinite(gateways, first, EXECUTE, body, givenUp);
    if (!answer) return;
    call.answers.push(readAnswer(answer));
    call.waitedMs ??= performance.now() - since;
  };
  await Promise.all(tries.map(ask));
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
      return { build: readClock };
  }
}

function fail(tx: Transaction): void {
  tx.moveCall({ target: '0xdec0::garage::fail', arguments: [tx.pure.u64(1)] });
}

/** The client reads the same node, which may be down just now. */
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
