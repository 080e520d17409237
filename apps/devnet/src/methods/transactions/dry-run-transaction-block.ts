import { renderEffects } from '../../engine/render-effects.js';
import { readBytes } from '../../json-rpc/read-params.js';
import { showEvent } from '../events/show-event.js';
import { pureTypesFrom } from '../move/pure-type-of.js';
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
      input: showTransactionData(record.data, pureTypesFrom(engine)),
      ...(profile.version !== '2025' && {
        suggestedGasPrice: null,
        ...(status.status === 'failure' && { executionErrorSource: status.error }),
      }),
    };
  },
};
