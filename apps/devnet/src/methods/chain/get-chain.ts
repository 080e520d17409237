import { invalidParams } from '@forecourt/json-rpc';
import { optional, readInteger } from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';
import { protocolVersionOf } from '../../node/protocol-version.js';
import type { CallContext } from '../call-context.js';
import { showProtocolConfig } from './protocol-config.js';
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
  run: ({ fullNode }) => String(fullNode.systemState().referenceGasPrice),
};

export const getLatestSystemStateV2: RpcMethod = {
  name: 'iotax_getLatestIotaSystemStateV2',
  params: [],
  summary: 'Epoch, gas price and validators.',
  run: (context) => ({ V2: systemStateOf(context) }),
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
  run(context) {
    const state = new Map(Object.entries(systemStateOf(context)));
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
  run({ profile }, [version]) {
    const newest = protocolVersionOf(profile);
    const asked = Number(optional(version, 'version', readInteger) ?? newest);
    if (asked < 1 || asked > newest) {
      throw invalidParams(
        `Unsupported protocol version requested. Min supported: 1, max supported: ${newest}`,
      );
    }
    return showProtocolConfig(asked, newest);
  },
};

function systemStateOf({ fullNode, profile }: CallContext): object {
  return showSystemState({
    ...fullNode.systemState(),
    protocolVersion: protocolVersionOf(profile),
  });
}
