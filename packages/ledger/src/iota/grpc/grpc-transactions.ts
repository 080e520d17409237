import {
  type ExecutedTransaction,
  type ExecuteTransactionResult,
  LedgerService,
  TransactionExecutionService,
} from '@forecourt/node-messages';
import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase58, fromBase64, toBase64 } from '@iota/iota-sdk/utils';
import { encodeBase58 } from '../../base58/index.js';
import { NodeRefusal } from '../nodes/node-errors.js';
import { isAbsent, itemRefusal } from './grpc-errors.js';
import type { GrpcChannel } from './grpc-channel.js';
import { readEffectsBcs } from './read-effects-bcs.js';
import { showBalanceChange, showEvents, showObjectChange } from './show-changes.js';
import { showTransactionData } from './show-transaction-data.js';

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
  showEvents: ['events', 'timestamp'],
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

/** Executes a signed transaction; the answer has the form of `iota_executeTransactionBlock`. */
export async function executeTransaction(
  channel: GrpcChannel,
  bytes: string,
  signatures: readonly string[],
  endsAt: number,
): Promise<object> {
  const { transactionResults } = await channel.unary(
    TransactionExecutionService.method.executeTransactions,
    {
      transactions: [
        {
          transaction: { bcs: { data: fromBase64(bytes) } },
          signatures: { signatures: signatures.map((one) => ({ bcs: { data: fromBase64(one) } })) },
        },
      ],
      readMask: { paths: ['transaction.digest', 'effects.bcs'] },
    },
    endsAt,
  );
  return showTransaction(executedOf(transactionResults[0]));
}

function executedOf(item: ExecuteTransactionResult | undefined): ExecutedTransaction {
  if (item?.result.case === 'executedTransaction') return item.result.value;
  if (item?.result.case === 'error') throw itemRefusal(item.result.value);
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
): Promise<object> {
  const request = {
    requests: { requests: [{ digest: { digest: fromBase58(digest) } }] },
    readMask: { paths: transactionFields(options) },
  };
  const answers = await channel.all(LedgerService.method.getTransactions, request, endsAt);
  const result = answers.flatMap(({ transactionResults }) => transactionResults)[0]?.result;
  if (result?.case === 'executedTransaction') {
    // JSON-RPC leaves the field out. Here the node states that no checkpoint includes the transaction.
    return { checkpoint: null, ...showTransaction(result.value) };
  }
  if (result?.case === 'error' && !isAbsent(result.value)) {
    throw itemRefusal(result.value);
  }
  throw new NodeRefusal(`Transaction ${digest} not found`, NOT_FOUND, undefined);
}

/** A dry run of an unsigned transaction, in the form of `iota_dryRunTransactionBlock`. */
export async function simulateTransaction(
  channel: GrpcChannel,
  bytes: string,
  endsAt: number,
): Promise<object> {
  const { transactionResults } = await channel.unary(
    TransactionExecutionService.method.simulateTransactions,
    {
      transactions: [{ transaction: { bcs: { data: fromBase64(bytes) } } }],
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
    ...showTransaction(simulated.executedTransaction),
  };
}

/** The parts that the node has sent, in the form of `iota_getTransactionBlock`. */
export function showTransaction(shown: ExecutedTransaction): object {
  const { transaction, signatures, effects, events, objectChanges, balanceChanges, checkpoint } =
    shown;
  const digest = transaction?.digest && encodeBase58(transaction.digest.digest);
  return {
    digest,
    ...(transaction?.bcs && {
      transaction: {
        data: showTransactionData(transaction.bcs.data),
        txSignatures: (signatures?.signatures ?? []).map(({ bcs }) => showSignature(bcs!.data)),
      },
    }),
    ...(effects?.bcs && { effects: readEffectsBcs(effects.bcs.data) }),
    ...(events && { events: showEvents(shown) }),
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
