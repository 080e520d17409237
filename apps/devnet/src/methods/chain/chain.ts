import { invalidParams } from '@forecourt/contracts';
import { optional, readInteger } from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';
import type { CallContext } from '../call-context.js';
import { protocolVersionOf } from '../../node/node-profile.js';
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
    const requestedVersion = Number(optional(version, 'version', readInteger) ?? newest);
    if (requestedVersion < 1 || requestedVersion > newest) {
      throw invalidParams(
        `Unsupported protocol version requested. Min supported: 1, max supported: ${newest}`,
      );
    }
    return showProtocolConfig(requestedVersion, newest);
  },
};

function systemStateOf({ fullNode, profile }: CallContext): object {
  return showSystemState({
    ...fullNode.systemState(),
    protocolVersion: protocolVersionOf(profile),
  });
}

const u64 = (value: number) => ({ u64: String(value) });
const u32 = (value: number) => ({ u32: String(value) });
const u16 = (value: number) => ({ u16: String(value) });

/** The attributes that clients read, with the values that the engine enforces. */
const ATTRIBUTES = {
  max_tx_size_bytes: u64(131_072),
  max_input_objects: u64(2048),
  max_gas_payment_objects: u32(256),
  max_programmable_tx_commands: u32(1024),
  max_arguments: u32(512),
  max_pure_argument_size: u32(16_384),
  max_type_arguments: u32(16),
  max_tx_gas: u64(50_000_000_000),
  max_gas_price: u64(100_000),
  max_gas_computation_bucket: u64(5_000_000),
  base_tx_cost_fixed: u64(1000),
  base_tx_cost_per_byte: u64(0),
  gas_rounding_step: u64(1000),
  obj_access_cost_read_per_byte: u64(15),
  obj_data_cost_refundable: u64(100),
  obj_metadata_cost_non_refundable: u64(50),
  storage_gas_price: u64(76),
  storage_rebate_rate: u64(10_000),
  max_move_object_size: u64(256_000),
  max_serialized_tx_effects_size_bytes: u64(524_288),
  max_num_event_emit: u64(1024),
  max_event_emit_size: u64(256_000),
  gas_model_version: u64(1),
  object_runtime_max_num_cached_objects: u64(1000),
  transfer_receive_object_cost_base: u64(52),
  max_move_value_depth: u64(128),
  max_move_identifier_len: u64(128),
  random_beacon_reduction_allowed_delta: u16(800),
} as const;

/** The response of `iota_getProtocolConfig` for `version`, where `newest` is the node's last one. */
export function showProtocolConfig(version: number, newest: number) {
  return {
    minSupportedProtocolVersion: '1',
    maxSupportedProtocolVersion: String(newest),
    protocolVersion: String(version),
    featureFlags: {
      protocol_defined_base_fee: true,
      passkey_auth: true,
      accept_zklogin_in_multisig: false,
      congestion_control_min_free_execution_slot: true,
    },
    attributes: ATTRIBUTES,
  };
}
