import { renderEffects } from '../../engine/render-effects.js';
import { optional, readAddress, readBytes, readInteger } from '../../json-rpc/read-params.js';
import { showEvent } from '../events/show-event.js';
import type { RpcMethod } from '../rpc-method.js';

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
        ? { error: status.error }
        : { results: record.data.kind.ProgrammableTransaction!.commands.map(() => ({})) }),
    };
  },
};
