import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import fc from 'fast-check';
import {
  type Application,
  buildSponsored,
  type Reservation,
  reserved,
  type SignedTransaction,
} from '../../support/application.js';
import { damagedBytes } from './garbage.js';
import { exchange } from './http-exchange.js';
import { judge } from './judge.js';

/** Short, because the test waits for open reservations at the end. */
const DURATION_SECS = 10;
/** The reservation cannot be used any further. */
const OVER = /already used|has expired|not found/;

interface Attempt {
  readonly bytes: Uint8Array;
  readonly signature: Uint8Array;
  /** The damaged part; `signed`: the bytes, before their user signs them. */
  readonly damage: 'bytes' | 'signed' | 'signature' | 'both';
  readonly requestType: string | undefined;
}

/** Executes damaged transactions with a valid reservation, and makes a new one when that is used up. */
export class DamagedTransactions {
  private constructor(
    private readonly application: Application,
    private readonly user: Ed25519Keypair,
    private reservation: Reservation,
    private good: SignedTransaction,
  ) {}

  static async open(application: Application, user: Ed25519Keypair): Promise<DamagedTransactions> {
    const { reservation, good } = await prepare(application, user);
    return new DamagedTransactions(application, user, reservation, good);
  }

  readonly attempts: fc.Arbitrary<Attempt> = fc.record({
    bytes: damagedBytes(() => this.good.bytes),
    signature: damagedBytes(() => Buffer.from(this.good.user_sig, 'base64')),
    damage: fc.constantFrom('bytes', 'signed', 'signature', 'both'),
    requestType: fc.constantFrom(undefined, 'waitForEffectsCert', 'waitForLocalExecution'),
  });

  /** Sends all attempts at once. Throws on an answer that no caller should get. */
  async tryAll(attempts: readonly Attempt[]): Promise<void> {
    const over = await Promise.all(attempts.map((attempt) => this.isUsedUpBy(attempt)));
    if (!over.includes(true)) return;
    const { reservation, good } = await prepare(this.application, this.user);
    this.reservation = reservation;
    this.good = good;
  }

  private async isUsedUpBy({ bytes, signature, damage, requestType }: Attempt): Promise<boolean> {
    const txBytes = damage === 'signature' ? this.good.bytes : bytes;
    const damagedSignature = Buffer.from(signature).toString('base64');
    const userSig = {
      bytes: this.good.user_sig,
      signed: (await this.user.signTransaction(bytes)).signature,
      signature: damagedSignature,
      both: damagedSignature,
    }[damage];
    const body = JSON.stringify({
      reservation_id: this.reservation.reservation_id,
      tx_bytes: Buffer.from(txBytes).toString('base64'),
      user_sig: userSig,
      requestType,
    });
    const answer = await exchange(this.application.url, {
      method: 'POST',
      path: '/v1/execute_tx',
      body,
      headers: {
        authorization: `Bearer ${this.application.token}`,
        'content-type': 'application/json',
      },
    });
    const wrong = judge(answer, 'POST');
    if (wrong !== null) throw new Error(`${wrong}\n${answer.status} ${answer.body}`);
    return answer.status < 300 || OVER.test(answer.body);
  }
}

async function prepare(application: Application, user: Ed25519Keypair) {
  const reservation = await reserved(application, 10_000_000, DURATION_SECS);
  return { reservation, good: await buildSponsored(application, reservation, { user }) };
}
