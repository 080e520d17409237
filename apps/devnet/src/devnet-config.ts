import { canonicalAddress } from '@forecourt/contracts';
import { type ConfigOf, type Environment, readConfig, variable } from '@forecourt/runtime/config';
import { GRPC_LAG, LAG_FORMAT, readLag } from './node/node-profile.js';
import type { LagRange } from './engine/delayed-steps.js';

/** A new ledger's coin of `amount`, owned by `owner`. */
export interface GenesisFund {
  readonly owner: string;
  /** In the smallest unit; at most 2^64 - 1. */
  readonly amount: bigint;
}

const U64_MAX = (1n << 64n) - 1n;
const CONTROL_PORT = 9124;
const GRPC_PORT = 50_051;

/** An integer within bounds, or `off` (null). `on` stands for `onValue`. */
function orOff(
  name: string,
  options: { default: number | null; min: number; max: number; on?: number; description: string },
) {
  const { min, max, on, default: usual, description } = options;
  const words = on === undefined ? '`off`' : '`on`, `off`';
  return variable.parsed<number | null>(name, {
    default: usual,
    description,
    write: usual === null ? 'off' : String(usual),
    kind: `integer, ${min} to ${max}, or ${words}`,
    parse: (text) => {
      if (text === 'off') return null;
      if (text === 'on' && on !== undefined) return on;
      const value = /^\d+$/.test(text) ? Number(text) : -1;
      if (value < min || value > max) {
        throw new Error(`must be an integer from ${min} to ${max}, or ${words}`);
      }
      return value;
    },
  });
}

export const devnetVariables = {
  host: variable.text('LISTEN_HOST', {
    default: '127.0.0.1',
    description: 'Address to listen on',
  }),
  rpcPort: variable.port('DEVNET_RPC_PORT', {
    default: 9000,
    description: 'Port of the JSON-RPC server',
  }),
  faucetPort: orOff('DEVNET_FAUCET_PORT', {
    default: 9123,
    min: 0,
    max: 65_535,
    description: 'Port of the faucet',
  }),
  controlPort: orOff('DEVNET_CONTROL_PORT', {
    default: null,
    min: 0,
    max: 65_535,
    on: CONTROL_PORT,
    description: `Port of the control interface, which injects faults; \`on\` is ${CONTROL_PORT}`,
  }),
  grpcPort: orOff('DEVNET_GRPC_PORT', {
    default: null,
    min: 0,
    max: 65_535,
    on: GRPC_PORT,
    description: `Port of the gRPC services; \`on\` is ${GRPC_PORT}`,
  }),
  seed: variable.optionalText('DEVNET_SEED', {
    description: 'Seed of chain identifier, keys and ids; by default random',
  }),
  epochSeconds: orOff('DEVNET_EPOCH_SECONDS', {
    default: 86_400,
    min: 1,
    max: 31_536_000,
    description: 'Length of an epoch; `off`: only the control interface ends epochs',
  }),
  referenceGasPrice: variable.fixed(1_000n),
  faucetAmount: variable.fixed(10_000_000_000n),
  faucetCoins: variable.fixed(5),
  genesisFunds: variable.parsed<readonly GenesisFund[]>('DEVNET_GENESIS_FUNDS', {
    default: [],
    write: 'none',
    kind: 'list of 0xaddress=amount',
    description: 'Owners with one coin each at genesis',
    parse: (text) => text.split(',').flatMap((entry) => parseFund(entry.trim())),
  }),
  dataDir: variable.optionalText('DEVNET_DATA_DIR', {
    description: 'Folder that keeps the ledger across restarts',
  }),
  keptEvents: variable.fixed(1_000_000),
  lagMs: variable.parsed<LagRange | null>('DEVNET_LAG_MS', {
    default: null,
    write: `0, or ${GRPC_LAG.maxMs} with gRPC`,
    kind: LAG_FORMAT,
    description: '[Lag of reads](devnet.md#a-node-that-lags) behind submissions',
    parse: (text) => {
      const range = readLag(text);
      if (range === null) throw new Error(`must be ${LAG_FORMAT}`);
      return range;
    },
  }),
  checkpointMs: orOff('DEVNET_CHECKPOINT_MS', {
    default: null,
    min: 50,
    max: 600_000,
    description: 'Interval of empty checkpoints; with a lag, `off` means 250',
  }),
  bodyLimitBytes: variable.fixed(10_485_760),
};

/** The configuration of a devnet. */
export type DevnetConfig = ConfigOf<typeof devnetVariables>;

/** Throws `ConfigError` naming every problem. */
export function readDevnetConfig(environment: Environment = process.env): DevnetConfig {
  return readConfig(devnetVariables, environment);
}

function parseFund(entry: string): GenesisFund[] {
  if (entry === '') return [];
  const [address = '', amount = ''] = entry.split('=').map((part) => part.trim());
  const value = /^\d{1,20}$/.test(amount) ? BigInt(amount) : 0n;
  const owner = canonicalAddress(address);
  if (owner === null || value < 1n || value > U64_MAX) {
    throw new Error(`must be a list 0xaddress=amount,… with amounts from 1 to ${U64_MAX}`);
  }
  return [{ owner, amount: value }];
}
