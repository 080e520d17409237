import { TransactionExecutionService } from '@forecourt/node-messages';
import type { GrpcChannel } from './grpc-channel.js';
import { itemRefusal } from './grpc-errors.js';
import { showWithEvents } from './grpc-transactions.js';
import type { NodeLayouts } from './node-layouts.js';
import { type ShowOptions, transactionFields } from './transaction-fields.js';

const SHOWN: ShowOptions = {
  showEffects: true,
  showEvents: true,
  showObjectChanges: true,
  showBalanceChanges: true,
};
/** Before the text of a fault over JSON-RPC. */
const SIMULATION_FAILED = /^transaction simulation failed: /;

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
      transactions: [{ transaction: { bcs: { data: Buffer.from(bytes, 'base64') } } }],
      readMask: {
        paths: transactionFields(SHOWN).map((path) => `executed_transaction.${path}`),
      },
    },
    endsAt,
  );
  const result = transactionResults[0]?.result;
  if (result?.case === 'error') {
    const message = result.value.message.replace(SIMULATION_FAILED, '');
    throw itemRefusal({ ...result.value, message });
  }
  const simulated = result?.case === 'simulatedTransaction' ? result.value : null;
  if (!simulated?.executedTransaction) throw new Error('no result');
  const shown = await showWithEvents(simulated.executedTransaction, SHOWN, layouts, endsAt, true);
  if (shown.errors) throw new Error(shown.errors.join('; '));
  return shown;
}
