import {
  type ExecutedTransaction,
  type ExecuteTransactionResult,
  LedgerService,
  TransactionExecutionService,
} from '@forecourt/node-messages';
import { status } from '@grpc/grpc-js';
import { fromBase58, fromBase64 } from '@iota/iota-sdk/utils';
import { encodeBase58 } from '../../base58/index.js';
import { NodeRefusal } from '../nodes/node-errors.js';
import { itemRefusal } from './grpc-errors.js';
import type { GrpcChannel } from './grpc-channel.js';
import { readEffectsBcs } from './read-effects-bcs.js';
import { showBalanceChange, showEvents, showObjectChange } from './show-changes.js';

export interface ShowOptions {
  readonly showEffects?: boolean;
  readonly showEvents?: boolean;
  readonly showObjectChanges?: boolean;
  readonly showBalanceChanges?: boolean;
}

/** The fields that a node returns for each option; those of `transaction` always. */
const FIELD_OF: Readonly<Record<keyof ShowOptions, string>> = {
  showEffects: 'effects.bcs',
  showEvents: 'events',
  showObjectChanges: 'object_changes',
  showBalanceChanges: 'balance_changes',
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
  return {} as never;
}

/** A transaction in the form of `iota_getTransactionBlock`. */
export async function readTransaction(
  channel: GrpcChannel,
  digest: string,
  options: ShowOptions,
  endsAt: number,
): Promise<object> {
  const shown = (Object.keys(FIELD_OF) as (keyof ShowOptions)[]).filter((key) => options[key]);
  const request = {
    requests: { requests: [{ digest: { digest: fromBase58(digest) } }] },
    readMask: { paths: ['transaction.digest', ...shown.map((key) => FIELD_OF[key])] },
  };
  const answers = await channel.all(LedgerService.method.getTransactions, request, endsAt);
  const result = answers.flatMap(({ transactionResults }) => transactionResults)[0]?.result;
  if (result?.case === 'executedTransaction') return showTransaction(result.value);
  if (result?.case === 'error' && result.value.code !== status.NOT_FOUND) {
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
      readMask: { paths: Object.values(FIELD_OF).map((field) => `executed_transaction.${field}`) },
    },
    endsAt,
  );
  const result = transactionResults[0]?.result;
  if (result?.case === 'error') throw itemRefusal(result.value);
  const simulated = result?.case === 'simulatedTransaction' ? result.value : null;
  const shown = simulated?.executedTransaction;
  return {
    events: [],
    objectChanges: [],
    balanceChanges: [],
    ...(shown && showTransaction(shown)),
  };
}

function showTransaction(shown: ExecutedTransaction): object {
  const { transaction, effects, events, objectChanges, balanceChanges, checkpoint } = shown;
  const digest = transaction?.digest && encodeBase58(transaction.digest.digest);
  return {
    digest,
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
