import { setTimeout as delay } from 'node:timers/promises';
import type { Reservation, SignedTransaction } from '../../support/application.js';
import { type Program, type RawTransaction, signRaw } from '../../support/raw-transaction.js';
import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Answers } from './answers.js';
import { type HttpReply, sendHttp } from './send-http.js';

const TIMEOUT_MS = 15_000;
/** Bounds an attack on an unexpectedly fast machine. */
const MAX_STEPS = 200_000;

/** An attacker's connection to the gateway, which counts every answer. */
export class AttackClient {
  readonly answers = new Answers();

  constructor(
    private readonly gatewayUrl: string,
    readonly token: string,
    /** Loopback address of the client. */
    readonly from: string,
    private readonly signal: AbortSignal,
    /** Factor by which all pauses are longer than attackers would like. */
    private readonly slowness: number,
  ) {}

  /** Repeats `step`, with a pause in between, until the attack ends. */
  async repeat(pauseMs: number, step: () => Promise<unknown>): Promise<void> {
    for (let steps = 0; steps < MAX_STEPS && !this.signal.aborted; steps++) {
      try {
        await step();
      } catch (error) {
        if (!this.signal.aborted) this.answers.note('failed', String(error));
      }
      await this.pause(pauseMs * this.slowness);
    }
  }

  /** Returns early when the attack ends. */
  async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }

  /** Null if the gateway refused. */
  async reserve(
    gasBudget: number,
    durationSecs: number,
    token = this.token,
    sponsor?: string,
  ): Promise<Reservation | null> {
    const body = {
      gas_budget: gasBudget,
      reserve_duration_secs: durationSecs,
      sponsor_address: sponsor,
    };
    const reply = await this.post('reserve', '/v1/reserve_gas', body, token);
    if (reply?.status !== 200) return null;
    return (JSON.parse(reply.text) as { result: Reservation }).result;
  }

  execute(
    reservation: Pick<Reservation, 'reservation_id'>,
    transaction: Pick<SignedTransaction, 'tx_bytes' | 'user_sig'>,
  ): Promise<HttpReply | null> {
    const { tx_bytes, user_sig } = transaction;
    const body = { reservation_id: reservation.reservation_id, tx_bytes, user_sig };
    return this.post('execute', '/v1/execute_tx', body, this.token);
  }

  /** Reserves and executes; null if there was no reservation. */
  async sponsor(
    user: Ed25519Keypair,
    program: Program,
    more: Partial<RawTransaction> & { readonly reserveBudget?: number } = {},
  ): Promise<HttpReply | null> {
    const budget = more.gasBudget ?? 10_000_000;
    const reservation = await this.reserve(more.reserveBudget ?? budget, 10);
    if (!reservation) return null;
    const transaction = await signRaw({ program, user, reservation, ...more });
    return this.execute(reservation, transaction);
  }

  /** Counts the answer as `what`, with the words that identify the reply, if any. Null: no answer came. */
  async post(
    what: string,
    path: string,
    body: unknown,
    token: string | undefined = this.token,
  ): Promise<HttpReply | null> {
    return this.send(what, 'POST', path, body, token);
  }

  async get(what: string, path: string, token?: string): Promise<HttpReply | null> {
    return this.send(what, 'GET', path, undefined, token);
  }

  private async send(
    what: string,
    method: 'GET' | 'POST',
    path: string,
    body: unknown,
    token: string | undefined,
  ): Promise<HttpReply | null> {
    try {
      const reply = await sendHttp(this.gatewayUrl, {
        method,
        path,
        body,
        from: this.from,
        timeoutMs: TIMEOUT_MS,
        ...(token !== undefined && { token }),
      });
      const refusal = reply.status === 200 ? '' : reply.text;
      this.answers.note(`${what} ${reply.status}`, refusal);
      return reply;
    } catch (error) {
      this.answers.note(`${what} no answer`, String(error));
      return null;
    }
  }
}
