import { invalidParams } from '../../json-rpc/json-rpc-error.js';
import { optional, readInteger } from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';
import { PROTOCOL_VERSION, showProtocolConfig } from './protocol-config.js';
import { showSystemState, VALIDATOR_KEY, VALIDATOR_STAKE } from './show-system-state.js';

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

export const getLatestSystemState: RpcMethod = {
  name: 'iotax_getLatestIotaSystemState',
  params: [],
  summary: 'The same in the form of protocol versions below 5.',
  run({ engine }) {
    const {
      committeeMembers,
      safeModeComputationCharges,
      safeModeComputationChargesBurned,
      ...v1
    } = showSystemState(engine.systemState()) as Record<string, unknown>;
    void [committeeMembers, safeModeComputationChargesBurned];
    return {
      ...v1,
      systemStateVersion: '1',
      safeModeComputationRewards: safeModeComputationCharges,
    };
  },
};

export const getCommitteeInfo: RpcMethod = {
  name: 'iotax_getCommitteeInfo',
  params: ['epoch'],
  summary: 'The validators of an epoch: one, the same in all.',
  run({ engine }, [epoch]) {
    const asked = optional(epoch, 'epoch', readInteger) ?? engine.systemState().epoch;
    return { epoch: String(asked), validators: [[VALIDATOR_KEY, VALIDATOR_STAKE]] };
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
