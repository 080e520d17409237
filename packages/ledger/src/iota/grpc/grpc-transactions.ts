import {
  type ExecutedTransaction,
  type ExecuteTransactionResult,
  LedgerService,
  TransactionExecutionService,
  type TransactionResult,
} from '../../node-messages/index.js';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase58, toBase64 } from '@iota/iota-sdk/utils';
import type { TransactionEffects } from '../../executed-transaction.js';
import type { ExpectedPayment } from '../../expected-payment.js';
import type { SimulatedTransaction } from '../../ledger.js';
import { NodeAnswer } from '../answers/node-answer.js';
import {
  readExecution,
  readSimulation,
  readTransaction,
  readTransactions,
} from '../answers/read-transaction.js';
import type { ShownPart, ShownTransaction } from '../client/node-client.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { encodeBase58 } from '../../base58/index.js';
import { isAbsent, itemRefusal } from './grpc-errors.js';
import { parseEffects } from './effects-reader.js';
import { MOST_GRPC_BYTES } from './grpc-channel.js';
import { withDigestOf } from './made-up-coin.js';
import type { CalledNode } from './node-layouts.js';
import { readObjects, showBalanceChanges, showObjectChanges } from './show-changes.js';
import { gasObject, showEffects } from './show-effects.js';
import { showEvents } from './show-events.js';
import { showTransactionData } from './show-input.js';

const NOT_FOUND = -32_003;

/** Nodes execute the items of a call one after the other, so that each transaction has a separate call. */
export async function executeTransaction(
  { channel, endsAt }: CalledNode,
  bytes: Uint8Array,
  signatures: readonly string[],
): Promise<TransactionEffects> {
  const { transactionResults } = await channel.unary(
    TransactionExecutionService.method.executeTransactions,
    {
      transactions: [
        {
          transaction: { bcs: { data: bytes } },
          signatures: { signatures: signatures.map((one) => ({ bcs: { data: withLength(one) } })) },
        },
      ],
      readMask: EXECUTED,
    },
    endsAt,
  );
  const [item] = transactionResults;
  if (!item) throw new Error('no result');
  const effects = parseEffects(given(executedOf(item).effects?.bcs).data);
  return readExecution(new NodeAnswer('execute', showEffects(effects, false), 'effects'), bytes);
}

const EXECUTED = { paths: ['effects.bcs'] };

function executedOf({ result }: ExecuteTransactionResult): ExecutedTransaction {
  if (result.case === 'executedTransaction') return result.value;
  if (result.case === 'error') throw itemRefusal(result.value);
  throw new Error('no result');
}

/** Throws `Error` if its effects cannot be read: it must not count as one that the node does not have. */
export async function fetchTransaction(
  node: CalledNode,
  digest: string,
  parts: readonly ShownPart[],
  payment?: ExpectedPayment,
): Promise<ShownTransaction<TransactionEffects>> {
  const [transaction] = await fetchTransactions(node, [digest], parts);
  if (!transaction) throw new NodeRefusal(`Transaction ${digest} not found`, NOT_FOUND, undefined);
  const { effects, errors = [] } = transaction;
  if (parts.includes('effects') && !effects && errors.length > 0) {
    throw new Error(errors.join('; '));
  }
  // JSON-RPC leaves the checkpoint out. Here the node states that none includes the transaction.
  return readTransaction(
    new NodeAnswer('getTransaction', { checkpoint: null, ...transaction }),
    digest,
    payment,
  );
}

/**
 * In the order of their digests; null for one that the node does not have. Nodes refuse the whole call if one
 * of several is larger than a usual message; alone it may have any size that nodes send.
 */
export async function fetchTransactions(
  node: CalledNode,
  digests: readonly string[],
  parts: readonly ShownPart[],
): Promise<(ShownTransaction | null)[]> {
  const request = {
    requests: { requests: digests.map((digest) => ({ digest: { digest: fromBase58(digest) } })) },
    readMask: { paths: transactionFields(parts) },
    ...(digests.length === 1 && { maxMessageSizeBytes: MOST_GRPC_BYTES }),
  };
  const show = async ({ result }: TransactionResult) => {
    if (result.case === 'error' && !isAbsent(result.value)) throw itemRefusal(result.value);
    if (result.case !== 'executedTransaction') return null;
    return showWithEvents(result.value, parts, node);
  };
  const transactions: (TransactionJson | null)[] = [];
  const answers = node.channel.parts(LedgerService.method.getTransactions, request, node.endsAt);
  for await (const { transactionResults } of answers) {
    transactions.push(...(await Promise.all(transactionResults.map(show))));
  }
  return readTransactions(new NodeAnswer('getTransactions', transactions), digests);
}

/** A transaction as it is shown; its digest may be absent, as in simulations of some nodes. */
export type TransactionJson = Omit<ShownTransaction, 'digest'> & {
  readonly digest: string | undefined;
};

/**
 * These parts, with the digest, the checkpoint and its time. A part that cannot be shown is left out, and
 * `errors` says why. `simulated`: the bytes that were sent to be simulated. Throws the errors of
 * `showEvents`.
 */
export async function showWithEvents(
  executed: ExecutedTransaction,
  wanted: readonly ShownPart[],
  node: Pick<CalledNode, 'layouts' | 'endsAt'>,
  simulated?: Uint8Array,
): Promise<TransactionJson> {
  const transaction = showTransaction(executed, wanted, simulated);
  if (!wanted.includes('events')) return transaction;
  const { events, errors = [] } = await showEvents(executed, node.layouts, node.endsAt);
  if (events) return { ...transaction, events };
  return { ...transaction, errors: [...(transaction.errors ?? []), ...errors] };
}

/** The same without events. */
export function showTransaction(
  executed: ExecutedTransaction,
  wanted: readonly ShownPart[],
  simulated?: Uint8Array,
): TransactionJson {
  const { transaction, signatures, timestamp, checkpoint } = executed;
  const errors: string[] = [];
  const part = <T>(wantedPart: ShownPart, show: () => T, name: string = wantedPart) => {
    if (!wanted.includes(wantedPart)) return {};
    try {
      return { [name]: show() };
    } catch (error) {
      errors.push(`${name}: ${(error as Error).message}`);
      return {};
    }
  };
  const data = once(() => showTransactionData(given(transaction?.bcs).data));
  const effectsOf = once(() => {
    const effects = parseEffects(given(executed.effects?.bcs).data);
    return simulated ? withDigestOf(simulated, effects) : effects;
  });
  const outputs = once(() => readObjects(executed.outputObjects));
  const isUnpaid = () => simulated !== undefined && data().gasData.payment.length === 0;
  const parts = {
    ...part(
      'input',
      () => ({
        data: data(),
        txSignatures: (signatures?.signatures ?? []).map(({ bcs }) => showSignature(bcs!.data)),
      }),
      'transaction',
    ),
    ...part('effects', () => showEffects(effectsOf(), simulated !== undefined)),
    ...part('objectChanges', () => showObjectChanges(effectsOf(), data().sender, outputs())),
    ...part('balanceChanges', () =>
      showBalanceChanges(
        effectsOf(),
        readObjects(executed.inputObjects),
        outputs(),
        isUnpaid() ? gasObject(effectsOf()).reference.objectId : null,
      ),
    ),
  };
  return {
    digest: transaction?.digest && encodeBase58(transaction.digest.digest),
    ...parts,
    ...(timestamp && { timestampMs: String(timestampMs(timestamp)) }),
    ...(checkpoint !== undefined && { checkpoint: String(checkpoint) }),
    ...(errors.length > 0 && { errors }),
  };
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the node leaves it out');
  return value;
}

function once<T>(read: () => T): () => T {
  let result: { readonly value: T } | null = null;
  return () => (result ??= { value: read() }).value;
}

/**
 * BCS of a signature: its bytes with their length in front, seven bits to a byte. Ten times as fast as the
 * SDK's.
 */
function withLength(base64: string): Uint8Array {
  // Fifty times faster than the SDK's function.
  const signature = Buffer.from(base64, 'base64');
  const prefix: number[] = [];
  let rest = signature.length;
  for (; rest > 0x7f; rest >>>= 7) prefix.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Uint8Array.of(...prefix, rest), signature]);
}

/** The reverse of `withLength`. */
function showSignature(bytes: Uint8Array): string {
  return toBase64(Uint8Array.from(bcs.byteVector().parse(bytes)));
}

/** The fields of a transaction for each part, of those that all versions of nodes have. */
const FIELDS_OF: Readonly<Record<ShownPart, readonly string[]>> = {
  input: ['transaction.bcs', 'signatures'],
  effects: ['effects.bcs'],
  // The digest in the effects tells a transaction without events from one whose events are missing.
  events: ['events.events.bcs', 'effects.bcs'],
  objectChanges: ['transaction.bcs', 'effects.bcs', 'output_objects.bcs'],
  balanceChanges: ['effects.bcs', 'input_objects.bcs', 'output_objects.bcs'],
};
/** The read mask for these parts, with the digest, the checkpoint and its time. */
export function transactionFields(parts: readonly ShownPart[]): string[] {
  const fields = parts.flatMap((part) => FIELDS_OF[part]);
  return [...new Set(['transaction.digest', 'checkpoint', 'timestamp', ...fields])];
}

const SIMULATED: readonly ShownPart[] = ['effects', 'events', 'objectChanges', 'balanceChanges'];
/** Before the text of a fault over JSON-RPC. */
const SIMULATION_FAILED = /^transaction simulation failed: /;

/** See `NodeClient.dryRun`. */
export async function simulateTransaction(
  node: CalledNode,
  bytes: Uint8Array,
): Promise<SimulatedTransaction> {
  const paths = transactionFields(SIMULATED).map((path) => `executed_transaction.${path}`);
  const { transactionResults } = await node.channel.unary(
    TransactionExecutionService.method.simulateTransactions,
    { transactions: [{ transaction: { bcs: { data: bytes } } }], readMask: { paths } },
    node.endsAt,
  );
  const result = transactionResults[0]?.result;
  if (result?.case === 'error') {
    const message = result.value.message.replace(SIMULATION_FAILED, '');
    throw itemRefusal({ ...result.value, message });
  }
  const simulated = result?.case === 'simulatedTransaction' ? result.value : null;
  if (!simulated?.executedTransaction) throw new Error('no result');
  const json = await showWithEvents(simulated.executedTransaction, SIMULATED, node, bytes);
  if (json.errors) throw new Error(json.errors.join('; '));
  return readSimulation(new NodeAnswer('dryRun', json), bytes);
}
