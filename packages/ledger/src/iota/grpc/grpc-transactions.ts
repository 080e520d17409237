import {
  type ExecutedTransaction,
  type ExecuteTransactionResult,
  LedgerService,
  TransactionExecutionService,
} from '@forecourt/node-messages';
import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase58, toBase64 } from '@iota/iota-sdk/utils';
import type { TransactionEffects } from '../../transaction-effects.js';
import { transactionDigest } from '../transaction-digest.js';
import { encodeBase58 } from '../../base58/index.js';
import { NodeRefusal } from '../transport/node-errors.js';
import { isAbsent, itemRefusal } from './grpc-errors.js';
import type { GrpcChannel } from './grpc-channel.js';
import type { NodeLayouts } from './node-layouts.js';
import { readEffectsBcs } from './read-effects-bcs.js';
import { showBalanceChange, showObjectChange } from './show-changes.js';
import { showEvents } from './show-events.js';
import { showTransactionData } from './show-input.js';

export interface ShowOptions {
  readonly showInput?: boolean;
  readonly showEffects?: boolean;
  readonly showEvents?: boolean;
  readonly showObjectChanges?: boolean;
  readonly showBalanceChanges?: boolean;
}

/** The fields of a transaction for each option. */
const FIELDS_OF: Readonly<Record<keyof ShowOptions, readonly string[]>> = {
  showInput: ['transaction.bcs', 'signatures'],
  showEffects: ['effects.bcs'],
  // The digest in the effects tells a transaction without events from one whose events are missing.
  showEvents: ['events.events.bcs', 'effects.bcs'],
  showObjectChanges: ['object_changes'],
  showBalanceChanges: ['balance_changes'],
};
const SIMULATED: ShowOptions = {
  showEffects: true,
  showEvents: true,
  showObjectChanges: true,
  showBalanceChanges: true,
};
const NOT_FOUND = -32_003;

/** In base64. */
export interface SignedTransaction {
  readonly bytes: string;
  readonly signatures: readonly string[];
}

/**
 * Executes signed transactions; each answer has the form of `iota_executeTransactionBlock`, or is the error of that
 * transaction.
 */
export async function executeTransactions(
  channel: GrpcChannel,
  transactions: readonly SignedTransaction[],
  endsAt: number,
): Promise<(object | Error)[]> {
  const { transactionResults } = await channel.unary(
    TransactionExecutionService.method.executeTransactions,
    {
      transactions: transactions.map(({ bytes, signatures }) => ({
        transaction: { bcs: { data: bytesOf(bytes) } },
        signatures: { signatures: signatures.map((one) => ({ bcs: { data: bytesOf(one) } })) },
      })),
      readMask: EXECUTED,
    },
    endsAt,
  );
  const answers = transactionResults.map((item) => {
    try {
      return showTransaction(executedOf(item), { showEffects: true });
    } catch (error) {
      return error as Error;
    }
  });
  if (transactions.length > 1) requireOrder(transactions, answers);
  return answers;
}

/** Throws if one of the answers belongs to another transaction. */
function requireOrder(
  transactions: readonly SignedTransaction[],
  answers: readonly (object | Error)[],
): void {
  for (const [index, { bytes }] of transactions.entries()) {
    const { effects } = (answers[index] ?? {}) as Partial<Record<'effects', TransactionEffects>>;
    if (effects && effects.transactionDigest !== transactionDigest(bytesOf(bytes))) {
      throw new Error('the results are in another order than the transactions');
    }
  }
}

const EXECUTED = { paths: ['effects.bcs'] };

/** Fifty times faster than the SDK's function. */
function bytesOf(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64');
}

function executedOf({ result }: ExecuteTransactionResult): ExecutedTransaction {
  if (result.case === 'executedTransaction') return result.value;
  if (result.case === 'error') throw itemRefusal(result.value);
  throw new Error('no result');
}

/** The read mask for these parts, with the digest and the checkpoint. */
export function transactionFields(options: ShowOptions): string[] {
  const shown = (Object.keys(FIELDS_OF) as (keyof ShowOptions)[]).filter((key) => options[key]);
  return ['transaction.digest', 'checkpoint', ...shown.flatMap((key) => FIELDS_OF[key])];
}

/** A transaction in the form of `iota_getTransactionBlock`. */
export async function readTransaction(
  channel: GrpcChannel,
  digest: string,
  options: ShowOptions,
  endsAt: number,
  layouts: NodeLayouts,
): Promise<object> {
  const [shown] = await readTransactions(channel, [digest], options, endsAt, layouts);
  // JSON-RPC leaves the checkpoint out. Here the node states that none includes the transaction.
  if (shown) return { checkpoint: null, ...shown };
  throw new NodeRefusal(`Transaction ${digest} not found`, NOT_FOUND, undefined);
}

/** Transactions in the form of `iota_multiGetTransactionBlocks`; null for one that the node does not have. */
export async function readTransactions(
  channel: GrpcChannel,
  digests: readonly string[],
  options: ShowOptions,
  endsAt: number,
  layouts: NodeLayouts,
): Promise<(object | null)[]> {
  const request = {
    requests: { requests: digests.map((digest) => ({ digest: { digest: fromBase58(digest) } })) },
    readMask: { paths: transactionFields(options) },
  };
  const answers = await channel.all(LedgerService.method.getTransactions, request, endsAt);
  const shown = answers
    .flatMap(({ transactionResults }) => transactionResults)
    .map(async ({ result }) => {
      if (result.case === 'executedTransaction') {
        return showWithEvents(result.value, options, layouts, endsAt);
      }
      if (result.case === 'error' && !isAbsent(result.value)) throw itemRefusal(result.value);
      return null;
    });
  return Promise.all(shown);
}

/** A dry run of an unsigned transaction, in the form of `iota_dryRunTransactionBlock`. */
export async function simulateTransaction(
  channel: GrpcChannel,
  bytes: string,
  endsAt: number,
  layouts: NodeLayouts,
): Promise<object> {
  const { transactionResults } = await channel.unary(
    TransactionExecutionService.method.simulateTransactions,
    {
      transactions: [{ transaction: { bcs: { data: bytesOf(bytes) } } }],
      readMask: {
        paths: transactionFields(SIMULATED).map((path) => `executed_transaction.${path}`),
      },
    },
    endsAt,
  );
  const result = transactionResults[0]?.result;
  if (result?.case === 'error') throw itemRefusal(result.value);
  const simulated = result?.case === 'simulatedTransaction' ? result.value : null;
  if (!simulated?.executedTransaction) throw new Error('no result');
  return {
    events: [],
    objectChanges: [],
    balanceChanges: [],
    ...(await showWithEvents(simulated.executedTransaction, SIMULATED, layouts, endsAt)),
  };
}

/** The same with the events, where they are asked for. Throws the errors of `showEvents`. */
export async function showWithEvents(
  shown: ExecutedTransaction,
  options: ShowOptions,
  layouts: NodeLayouts,
  endsAt: number,
): Promise<object> {
  if (!options.showEvents) return showTransaction(shown, options);
  const all = showTransaction(shown, { ...options, showEffects: true });
  const { effects, ...others } = all as { readonly effects?: { readonly eventsDigest?: string } };
  const transaction = options.showEffects ? all : others;
  const hasNone = effects !== undefined && effects.eventsDigest === undefined;
  if (!hasNone && !shown.events?.events?.events.length) return transaction;
  return { ...transaction, ...(await showEvents(shown, layouts, endsAt)) };
}

/** These parts, with the digest and the checkpoint, in the form of `iota_getTransactionBlock`; without events. */
export function showTransaction(shown: ExecutedTransaction, options: ShowOptions): object {
  const { transaction, signatures, objectChanges, balanceChanges, checkpoint } = shown;
  const digest = transaction?.digest && encodeBase58(transaction.digest.digest);
  const effects = shown.effects?.bcs && readEffectsBcs(shown.effects.bcs.data);
  return {
    digest,
    ...(options.showInput &&
      transaction?.bcs && {
        transaction: {
          data: showTransactionData(transaction.bcs.data),
          txSignatures: (signatures?.signatures ?? []).map(({ bcs }) => showSignature(bcs!.data)),
        },
      }),
    ...(options.showEffects && { effects }),
    ...(objectChanges && {
      objectChanges: objectChanges.objectChanges.flatMap(
        (change) => showObjectChange(change) ?? [],
      ),
    }),
    ...(balanceChanges && { balanceChanges: balanceChanges.balanceChanges.map(showBalanceChange) }),
    ...(checkpoint !== undefined && { checkpoint: String(checkpoint) }),
  };
}

/** Nodes send a signature as BCS: with its length in front, or without. */
function showSignature(bytes: Uint8Array): string {
  const content = bcs.byteVector();
  try {
    return toBase64(Uint8Array.from(content.parse(bytes)));
  } catch {
    return toBase64(bytes);
  }
}
