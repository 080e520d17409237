import { setTimeout as delay } from 'node:timers/promises';
import { netGas } from '@forecourt/ledger';
import type { IotaClient, TransactionEffects } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { awaitEvent } from './await-event.js';
import { type GatewayAccess, post } from './post.js';

export interface SampleOptions extends GatewayAccess {
  readonly ledger: IotaClient;
  /** Whether the ledger has devnet's demo package. */
  readonly hasDemoPackage: boolean;
  readonly say: (text: string) => void;
}

/** The outcome of the sample transaction; times in ms. */
export interface SampleResult {
  readonly digest: string;
  readonly status: string;
  readonly sender: string;
  readonly sponsor: string;
  readonly gasPaidBy: string;
  /** Computation, plus storage, less rebate, in the smallest unit. */
  readonly gasCharged: string;
  readonly senderBalance: string;
  readonly reserveMs: number;
  readonly executeMs: number;
  /** The first event of the transaction, as the WebSocket delivered it. */
  readonly event: unknown;
}

interface Reservation {
  readonly sponsor_address: string;
  readonly reservation_id: number;
  readonly gas_coins: { objectId: string; version: number; digest: string }[];
}

const BUDGET = 20_000_000;
const FILL_MS = 60_000;
const DEMO_PACKAGE = '0xdec0';

/** Has a transaction of a new user who owns nothing sponsored, as an application would, and looks it up on the ledger. */
export async function sponsorSampleTransaction(options: SampleOptions): Promise<SampleResult> {
  const { say, ledger } = options;
  const user = new Ed25519Keypair();
  const sender = user.toIotaAddress();
  say(`a new user, ${short(sender)}, owns nothing`);

  const [reservation, reserveMs] = await timed(() => reserveGas(options));
  const { reservation_id: id, gas_coins: coins, sponsor_address: sponsor } = reservation;
  say(
    `reserved ${coins.length} gas coin of sponsor ${short(sponsor)}: reservation ${id}, ${reserveMs} ms`,
  );

  const tx = new Transaction();
  callSomething(tx, sender, options.hasDemoPackage);
  tx.setSender(sender);
  tx.setGasOwner(sponsor);
  tx.setGasPayment(coins);
  tx.setGasBudget(BUDGET);
  const bytes = await tx.build({ client: ledger });
  const { signature } = await user.signTransaction(bytes);
  say(`the user signed ${bytes.length} bytes`);

  const live = await awaitEvent(options.gatewayUrl, { SenderAddress: sender });

  const [{ effects }, executeMs] = await timed(() =>
    post<{ effects: TransactionEffects }>(options, '/v1/execute_tx', {
      reservation_id: id,
      tx_bytes: Buffer.from(bytes).toString('base64'),
      user_sig: signature,
      requestType: 'waitForLocalExecution',
    }),
  );
  const digest = effects.transactionDigest;
  say(`executed: ${effects.status.status}, digest ${digest}, ${executeMs} ms`);

  const event = await live.first;
  say(`live event over the WebSocket: ${JSON.stringify(event)}`);

  const found = await ledger.waitForTransaction({ digest, options: { showInput: true } });
  const gasPaidBy = found.transaction?.data.gasData.owner ?? 'nobody';
  const gasCharged = String(netGas(effects));
  const { totalBalance } = await ledger.getBalance({ owner: sender });
  say(`found on the ledger: gas ${gasCharged} paid by ${short(gasPaidBy)}`);
  say(`the user's balance is ${totalBalance}`);
  return {
    digest,
    status: effects.status.status,
    sender,
    sponsor,
    gasPaidBy,
    gasCharged,
    senderBalance: totalBalance,
    reserveMs,
    executeMs,
    event,
  };
}

/** The pool may still be filling: a 503 is a reason to wait, any other error is not. */
async function reserveGas(gateway: GatewayAccess): Promise<Reservation> {
  const deadline = Date.now() + FILL_MS;
  for (;;) {
    try {
      const body = { gas_budget: BUDGET, reserve_duration_secs: 60 };
      return (await post<{ result: Reservation }>(gateway, '/v1/reserve_gas', body)).result;
    } catch (error) {
      const busy = (error as { status?: number }).status === 503;
      if (!busy || Date.now() > deadline) throw error;
      await delay(200);
    }
  }
}

function callSomething(tx: Transaction, sender: string, hasDemoPackage: boolean): void {
  if (!hasDemoPackage) {
    tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [tx.object.clock()] });
    return;
  }
  const args = [tx.pure.string('Roadster'), tx.pure.address(sender)];
  tx.moveCall({ target: `${DEMO_PACKAGE}::garage::build_car`, arguments: args });
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const before = performance.now();
  const result = await work();
  return [result, Math.round(performance.now() - before)];
}

const short = (address: string) => `${address.slice(0, 8)}…${address.slice(-4)}`;
