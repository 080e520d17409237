import { setTimeout as delay } from 'node:timers/promises';
import type { IotaClient } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Reservation } from '../../support/application.js';
import type { Seeded } from '../../support/seeded.js';
import {
  buildCarsProgram,
  driveCarProgram,
  type ObjectRef,
  type Program,
  readClockProgram,
  signRaw,
} from '../../support/raw-transaction.js';
import { PATIENCE_MS, type PatientReply, requestPatiently } from './request-patiently.js';
import type { Samples } from './samples.js';

const GAS_BUDGET = 10_000_000;
const DURATION_SECS = 25;
const LEAST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 800;
const HAS_EXPIRED = /Reservation \d+ has expired/;

interface Effects {
  readonly status: { readonly status: string; readonly error?: string };
  readonly created?: readonly { readonly reference: ObjectRef }[];
  readonly mutated?: readonly { readonly reference: ObjectRef }[];
}

/** The addresses and credentials that honest users have. */
export interface HonestAccess {
  readonly gatewayUrl: string;
  readonly token: string;
  readonly ledger: IotaClient;
  /** Loopback address of the users. */
  readonly from: string;
}

/** A user who drives a car, one sponsored transaction after another, with pauses in between. */
export class HonestUser {
  readonly #signer = new Ed25519Keypair();
  #car: ObjectRef | null = null;
  /** Transactions that changed the car: each emits one event. */
  drives = 0;

  constructor(
    private readonly access: HonestAccess,
    private readonly seeded: Seeded,
  ) {}

  get address(): string {
    return this.#signer.toIotaAddress();
  }

  /** Runs until `signal` is aborted, then completes the transaction under way. */
  async use(samples: Samples, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = this.seeded.integer(LEAST_PAUSE_MS, MAX_PAUSE_MS);
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const since = performance.now();
      const failure = await this.sponsorOnce();
      if (failure === null) samples.succeeded(performance.now() - since);
      else samples.failedBecause(failure);
    }
  }

  /**
   * The reason of a failure, or null. A reservation that has ended before its transaction could be executed
   * is replaced, as a well-behaved client does on a busy machine.
   */
  private async sponsorOnce(): Promise<string | null> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const failure = await this.trySponsoring();
      const mayTryAgain = failure !== null && HAS_EXPIRED.test(failure);
      if (!mayTryAgain || performance.now() > deadline) return failure;
    }
  }

  private async trySponsoring(): Promise<string | null> {
    const car = this.#car;
    const action = car ? this.seeded.weighted({ drive: 6, build: 1, read: 3 }) : 'build';
    const program: Program =
      action === 'drive'
        ? driveCarProgram(car!, 1)
        : action === 'build'
          ? buildCarsProgram(this.address)
          : readClockProgram();
    const reserve = { gas_budget: GAS_BUDGET, reserve_duration_secs: DURATION_SECS };
    const reserved = await this.post('reserve', '/v1/reserve_gas', reserve);
    if (reserved.failure !== null) return reserved.failure;
    const { result } = JSON.parse(reserved.reply.text) as { result: Reservation };
    const signed = await signRaw({ program, user: this.#signer, reservation: result });
    const { tx_bytes, user_sig } = signed;
    const execute = { reservation_id: result.reservation_id, tx_bytes, user_sig };
    const executed = await this.post(`execute ${action}`, '/v1/execute_tx', execute);
    if (executed.failure !== null) {
      if (action === 'drive') await this.findCar();
      return executed.failure;
    }
    const { effects } = JSON.parse(executed.reply.text) as { effects: Effects };
    if (effects.status.status !== 'success') return `${action} failed: ${effects.status.error}`;
    if (action === 'build') this.#car = effects.created![0]!.reference;
    if (action === 'drive') {
      this.drives += 1;
      const changed = effects.mutated!.map(({ reference }) => reference);
      this.#car = changed.find(({ objectId }) => objectId === car!.objectId)!;
    }
    return null;
  }

  /** After a failure the user does not know the newest version of the car. */
  private async findCar(): Promise<void> {
    const { data } = await this.access.ledger.getObject({ id: this.#car!.objectId });
    if (data) this.#car = data;
  }

  private post(what: string, path: string, body: unknown): Promise<PatientReply> {
    const { gatewayUrl, token, from } = this.access;
    return requestPatiently(gatewayUrl, what, { method: 'POST', path, token, body, from });
  }
}
