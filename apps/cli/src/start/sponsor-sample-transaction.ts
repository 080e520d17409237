import { GasStation } from '@forecourt/client';
import { digestInBase58 } from '@forecourt/client/digests';
import { formatAmount, type Ledger, netGas } from '@forecourt/ledger';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { awaitEvent } from './await-event.js';

export interface SampleOptions {
  readonly gatewayUrl: string;
  readonly token: string;
  readonly ledger: Ledger;
  /** Whether the ledger has devnet's demo package. */
  readonly hasDemoPackage: boolean;
  readonly say: (text: string) => void;
  /** Ends the wait for an answer of the gateway. */
  readonly stop: AbortSignal;
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
  /** The first event of the transaction, as the WebSocket delivered it; null where none arrived in time. */
  readonly event: unknown;
}

const BUDGET = 20_000_000;
const TIMEOUT_MS = 90_000;
/** A node shows a transaction a few seconds after its execution. */
const SHOWN_WITHIN_MS = 60_000;
const DEMO_PACKAGE = '0xdec0';

/**
 * Has a transaction of a new user who owns nothing sponsored, as an application would, and looks it up on the
 * ledger. Throws `GasStationError`, the errors of `ledger`, and `Error` if the ledger does not show the
 * transaction.
 */
export async function sponsorSampleTransaction(options: SampleOptions): Promise<SampleResult> {
  const { say, ledger, gatewayUrl, token, stop: signal } = options;
  const station = new GasStation({ url: gatewayUrl, token, timeoutMs: TIMEOUT_MS });
  const user = new Ed25519Keypair();
  const sender = user.toIotaAddress();
  say(`a new user, ${short(sender)}, owns nothing`);

  // The client waits while the pool is still being filled.
  const [reservation, reserveMs] = await timed(() =>
    station.reserve({ gasBudget: BUDGET, durationSecs: 60 }, { signal }),
  );
  const { reservationId, gasCoins, sponsorAddress: sponsor } = reservation;
  say(
    `reserved ${gasCoins.length} gas coin of sponsor ${short(sponsor)}: reservation ${reservationId}, ${reserveMs} ms`,
  );

  const tx = new Transaction();
  makeObject(tx, sender, options.hasDemoPackage);
  tx.setSender(sender);
  tx.setGasOwner(sponsor);
  tx.setGasPayment([...gasCoins]);
  tx.setGasPrice((await ledger.status()).referenceGasPrice);
  tx.setGasBudget(BUDGET);
  const bytes = await tx.build();
  const { signature } = await user.signTransaction(bytes);
  say(`the user signed ${bytes.length} bytes`);

  // Subscribed before the transaction exists: its event cannot come too early.
  const live = awaitEvent(gatewayUrl, { SenderAddress: sender });
  await live.catch(() => undefined);

  const requestType = 'waitForLocalExecution';
  const [{ digest, effects }, executeMs] = await timed(() =>
    station.execute({ reservationId, transaction: bytes, signature, requestType }, { signal }),
  );
  say(`executed: ${effects.status.status}, digest ${digest}, ${executeMs} ms`);

  const event = await live.then(({ first }) => first).catch((error: Error) => warn(say, error));
  if (event !== null) say(`live event over the WebSocket: ${shorten(describeEvent(event))}`);

  const gasPaidBy = await readPayer(ledger, digest);
  const gasCharged = String(netGas(effects));
  const senderBalance = String(await readBalance(ledger, sender));
  say(`found on the ledger: gas of ${formatAmount(gasCharged)} paid by ${short(gasPaidBy)}`);
  say(`the user's balance is ${formatAmount(senderBalance)}`);
  return {
    digest,
    status: effects.status.status,
    sender,
    sponsor,
    gasPaidBy,
    gasCharged,
    senderBalance,
    reserveMs,
    executeMs,
    event,
  };
}

async function readPayer(ledger: Ledger, digest: string): Promise<string> {
  await ledger.waitForLocalExecution(digest, SHOWN_WITHIN_MS);
  const parts = await ledger.readTransactionParts(digest, ['input']);
  const input = parts?.input as { data: { gasData: { owner: string } } } | undefined;
  if (!input) throw new Error(`the ledger does not show transaction ${digest}`);
  return input.data.gasData.owner;
}

async function readBalance(ledger: Ledger, owner: string): Promise<bigint> {
  let sum = 0n;
  for await (const page of ledger.listGasCoins(owner)) {
    for (const { balance } of page) sum += balance;
  }
  return sum;
}

/** The transaction is sponsored all the same: what runs keeps running. */
function warn(say: SampleOptions['say'], { message }: Error): null {
  say(
    `WARNING: ${message}. Sponsoring works, events may not: see what the events service logs, let \`npm run forecourt -- doctor\` examine the node, and set EVENTS_UPSTREAMS if events come from other nodes`,
  );
  return null;
}

/** With the digest as the other lines write it: events have it in base64. */
export function describeEvent(event: unknown): string {
  const { txDigest, ...rest } = event as { readonly txDigest: string };
  return JSON.stringify({ txDigest: digestInBase58(txDigest), ...rest });
}

const MOST_SHOWN = 150;

function shorten(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}

/** Makes an object for the user, an event that every ledger has; the user needs no coins for it. */
function makeObject(tx: Transaction, sender: string, hasDemoPackage: boolean): void {
  if (hasDemoPackage) {
    const args = [tx.pure.string('Roadster'), tx.pure.address(sender)];
    tx.moveCall({ target: `${DEMO_PACKAGE}::garage::build_car`, arguments: args });
    return;
  }
  const coin = tx.moveCall({ target: '0x2::coin::zero', typeArguments: ['0x2::iota::IOTA'] });
  tx.transferObjects([coin], sender);
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const before = performance.now();
  const result = await work();
  return [result, Math.round(performance.now() - before)];
}

const short = (address: string) => `${address.slice(0, 8)}…${address.slice(-4)}`;
