import { renderEffects } from '../../engine/render-effects.js';
import {
  optional,
  readAddress,
  readBytes,
  readInteger,
  readObject,
} from '../../json-rpc/read-params.js';
import { showEvent } from '../events/show-event.js';
import type { RpcMethod } from '../rpc-method.js';

export const devInspectTransactionBlock: RpcMethod = {
  name: 'iota_devInspectTransactionBlock',
  params: ['sender_address', 'tx_bytes', 'gas_price', 'epoch', 'additional_args'],
  summary: 'Runs a transaction kind as anybody, without gas, and answers with its return values.',
  run({ engine }, [sender, kindBytes, gasPrice, , additional]) {
    const { gasBudget } = optional(additional, 'additional_args', readObject) ?? {};
    const price = optional(gasPrice, 'gas_price', readInteger);
    const budget = optional(gasBudget, 'additional_args.gasBudget', readInteger);
    const result = engine.devInspect({
      sender: readAddress(sender, 'sender_address'),
      kindBytes: readBytes(kindBytes, 'tx_bytes'),
      ...(price !== null && { gasPrice: price }),
      ...(budget !== null && { gasBudget: budget }),
    });
    return {
      effects: renderEffects(result.effects),
      events: result.events.map(showEvent),
      results: result.results.map(({ returnValues }) =>
        returnValues.length === 0
          ? {}
          : { returnValues: returnValues.map(([bytes, type]) => [[...bytes], type]) },
      ),
      ...(result.error !== null && { error: result.error, results: null }),
    };
  },
};
