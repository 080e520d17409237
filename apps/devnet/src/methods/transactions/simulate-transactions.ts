import { explainFailure, renderEffects } from '../../engine/describe-effects.js';
import { readBytes, optional, readAddress, readInteger } from '../../json-rpc/read-params.js';
import { showEvent } from '../../events/show-event.js';
import type { RpcMethod } from '../rpc-method.js';
import { showTransactionData } from './show-transaction-data.js';
import { showBalanceChange, showObjectChange } from './show-transaction.js';

export const dryRunTransactionBlock: RpcMethod = {
  name: 'iota_dryRunTransactionBlock',
  params: ['tx_bytes'],
  summary: 'Simulates the execution of a transaction; nothing is kept, no signature is required.',
  run({ engine, fullNode, profile }, [txBytes]) {
    const record = fullNode.dryRun(readBytes(txBytes, 'tx_bytes'));
    const { status } = record.effects;
    return {
      effects: renderEffects(record.effects),
      events: record.events.map(showEvent),
      objectChanges: record.objectChanges.map(showObjectChange),
      balanceChanges: record.balanceChanges.map(showBalanceChange),
      input: showTransactionData(record.data, engine),
      ...(profile.version === '2026' && {
        suggestedGasPrice: null,
        ...(status.status === 'failure' && { executionErrorSource: explainFailure(status) }),
      }),
    };
  },
};

/** Some programs call it once when they start, to test whether the node can simulate. */
export const devInspectTransactionBlock: RpcMethod = {
  name: 'iota_devInspectTransactionBlock',
  params: ['sender_address', 'tx_bytes', 'gas_price', 'epoch', 'additional_args'],
  summary: 'Simulates a program without gas for any sender; returned values are not shown.',
  run({ fullNode }, [sender, txBytes, gasPrice]) {
    const record = fullNode.inspect(
      readBytes(txBytes, 'tx_bytes'),
      readAddress(sender, 'sender_address'),
      optional(gasPrice, 'gas_price', readInteger),
    );
    const { effects, events } = record;
    const { status } = effects;
    return {
      effects: renderEffects(effects),
      events: events.map(showEvent),
      ...(status.status === 'failure'
        ? { error: explainFailure(status) }
        : { results: record.data.kind.ProgrammableTransaction!.commands.map(() => ({})) }),
    };
  },
};
