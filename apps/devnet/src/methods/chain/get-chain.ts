import { invalidParams } from '@forecourt/json-rpc';
import { optional, readInteger } from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';
import { PROTOCOL_VERSION, showProtocolConfig } from './protocol-config.js';
import { showSystemState } from './show-system-state.js';

export const getChainIdentifier: RpcMethod = {
  name: 'iota_getChainIdentifier',
  params: [],
  summary: "First four bytes of the genesis checkpoint's digest.",
  run: ({ engine }) => engine.chainIdentifier,
};

export const getReferenceGasPrice: RpcMethod = {
  name: 'iotax_getReferenceGasPrice',
  params: [],
  summary: 'The least price of a unit of gas in this epoch.',
  run: ({ engine }) => String(engine.systemState().referenceGasPrice),
};

export const getLatestSystemStateV2: RpcMethod = {
  name: 'iotax_getLatestIotaSystemStateV2',
  params: [],
  summary: 'Epoch, gas price and validators.',
  run: ({ engine }) => ({ V2: showSystemState(engine.systemState()) }),
};

const V2_ONLY = [
  'committeeMembers',
  'safeModeComputationCharges',
  'safeModeComputationChargesBurned',
];

export const getLatestSystemState: RpcMethod = {
  name: 'iotax_getLatestIotaSystemState',
  params: [],
  summary: 'Epoch, gas price and validators, in the format of protocol versions below 5.',
  run({ engine }) {
    const state = new Map(Object.entries(showSystemState(engine.systemState())));
    state.set('systemStateVersion', '1');
    state.set('safeModeComputationRewards', state.get('safeModeComputationCharges'));
    for (const added of V2_ONLY) state.delete(added);
    return Object.fromEntries(state);
  },
};

export const getProtocolConfig: RpcMethod = {
  name: 'iota_getProtocolConfig',
  params: ['version'],
  summary: 'Limits and prices of a protocol version.',
  run(_context, [version]) {
    const asked = Number(optional(version, 'version', readInteger) ?? PROTOCOL_VERSION);
    if (asked < 1 || asked > PROTOCOL_VERSION) {
      throw invalidParams(
        `Unsupported protocol version requested. Min supported: 1, max supported: ${PROTOCOL_VERSION}`,
      );
    }
    return showProtocolConfig(asked);
  },
};
