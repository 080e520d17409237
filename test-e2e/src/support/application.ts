import { IotaClient } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import type { GasCoinReference, TransactionEffects } from '@forecourt/contracts';

/** An application that sponsors its users' transactions, with `fetch` and the public SDK only. */
export interface Application {
  readonly url: string;
  readonly token: string;
  readonly ledger: IotaClient;
}

export interface Reservation {
  readonly sponsor_address: string;
  readonly reservation_id: number;
  readonly gas_coins: readonly GasCoinReference[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Typed loosely, because tests check the body as it arrived.
  readonly body: Record<string, never> & {
    result?: never;
    effects?: TransactionEffects;
    error?: string | null;
  };
}

/** Makes one HTTP call; a text `body` is sent unchanged. */
export async function call(
  application: Pick<Application, 'url' | 'token'>,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await fetch(`${application.url}${path}`, {
    method,
    headers: {
      ...(application.token ? { authorization: `Bearer ${application.token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
}

export function reserveGas(
  application: Application,
  gasBudget: unknown = 10_000_000,
  durationSecs: unknown = 60,
): Promise<Answer> {
  const body = { gas_budget: gasBudget, reserve_duration_secs: durationSecs };
  return call(application, 'POST', '/v1/reserve_gas', body);
}

/** Reserves gas. Throws with the answer if the gateway refuses. */
export async function reserved(
  application: Application,
  gasBudget = 10_000_000,
  durationSecs = 60,
): Promise<Reservation> {
  const answer = await reserveGas(application, gasBudget, durationSecs);
  if (answer.status !== 200) throw new Error(`reserve answered ${JSON.stringify(answer.body)}`);
  return answer.body.result as unknown as Reservation;
}

export interface TransactionOptions {
  readonly user?: Ed25519Keypair;
  readonly build?: (tx: Transaction) => void;
  readonly gasBudget?: number;
  readonly gasPrice?: number;
  readonly gasOwner?: string;
  readonly payment?: readonly GasCoinReference[];
}

export interface SignedTransaction {
  readonly bytes: Uint8Array;
  readonly digest: string;
  readonly tx_bytes: string;
  readonly user_sig: string;
}

/** Reads the ledger's clock: the transaction needs no object of its sender. */
export function readClock(tx: Transaction): void {
  tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [tx.object('0x6')] });
}

/** Builds a transaction that a reservation pays for, and signs it as its user. */
export async function buildSponsored(
  application: Application,
  reservation: Reservation,
  options: TransactionOptions = {},
): Promise<SignedTransaction> {
  const user = options.user ?? new Ed25519Keypair();
  const tx = new Transaction();
  (options.build ?? readClock)(tx);
  tx.setSender(user.toIotaAddress());
  tx.setGasOwner(options.gasOwner ?? reservation.sponsor_address);
  tx.setGasPayment((options.payment ?? reservation.gas_coins).map((coin) => ({ ...coin })));
  tx.setGasBudget(options.gasBudget ?? 10_000_000);
  if (options.gasPrice !== undefined) tx.setGasPrice(options.gasPrice);
  const bytes = await tx.build({ client: application.ledger });
  const { signature } = await user.signTransaction(bytes);
  return {
    bytes,
    digest: await Transaction.from(bytes).getDigest(),
    tx_bytes: Buffer.from(bytes).toString('base64'),
    user_sig: signature,
  };
}

export function executeTx(
  application: Pick<Application, 'url' | 'token'>,
  reservation: Pick<Reservation, 'reservation_id'>,
  transaction: Pick<SignedTransaction, 'tx_bytes' | 'user_sig'>,
  more: Record<string, unknown> = {},
): Promise<Answer> {
  return call(application, 'POST', '/v1/execute_tx', {
    reservation_id: reservation.reservation_id,
    tx_bytes: transaction.tx_bytes,
    user_sig: transaction.user_sig,
    ...more,
  });
}

/** Reserves, builds, signs and executes. */
export async function sponsor(
  application: Application,
  options: TransactionOptions = {},
): Promise<{ reservation: Reservation; transaction: SignedTransaction; answer: Answer }> {
  const reservation = await reserved(application, options.gasBudget ?? 10_000_000);
  const transaction = await buildSponsored(application, reservation, options);
  return {
    reservation,
    transaction,
    answer: await executeTx(application, reservation, transaction),
  };
}
