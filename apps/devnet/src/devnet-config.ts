import { isValidIotaAddress, normalizeIotaAddress } from '@iota/iota-sdk/utils';

/** An amount every new ledger starts with: one coin of `amount` owned by `owner`. */
export interface GenesisFund {
  readonly owner: string;
  /** In the smallest unit; at most 2^64 - 1. */
  readonly amount: bigint;
}

/** How a devnet is to run. Ports: 0 takes any free one, null switches the listener off. */
export interface DevnetConfig {
  readonly host: string;
  readonly rpcPort: number;
  readonly faucetPort: number | null;
  readonly controlPort: number | null;
  /** Same seed, same keys, ids and digests; null draws a new chain at every start. */
  readonly seed: string | null;
  /** Length of an epoch; null: epochs change only when the control interface says so. */
  readonly epochSeconds: number | null;
  readonly referenceGasPrice: bigint;
  /** What one faucet coin holds. At most 2^53 - 1, since the faucet answers with JSON numbers. */
  readonly faucetAmount: bigint;
  readonly faucetCoins: number;
  readonly genesisFunds: readonly GenesisFund[];
  /** Delay before every answer, in milliseconds. */
  readonly latencyMs: number;
  readonly bodyLimitBytes: number;
}

/** A configuration value that cannot be used; the message names the variable, its bounds and what arrived. */
export class InvalidDevnetConfig extends Error {
  override readonly name = 'InvalidDevnetConfig';
}

type Environment = Readonly<Record<string, string | undefined>>;

const U64_MAX = (1n << 64n) - 1n;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Reads every variable at once, so that a bad value stops the start before anything listens. */
export function readDevnetConfig(env: Environment = process.env): DevnetConfig {
  const integer = (name: string, fallback: bigint, min: bigint, max: bigint): bigint => {
    const text = env[name]?.trim();
    if (text === undefined || text === '') return fallback;
    const value = /^\d{1,20}$/.test(text) ? BigInt(text) : -1n;
    if (value < min || value > max) {
      throw new InvalidDevnetConfig(
        `${name} must be an integer from ${min} to ${max}, got "${text}"`,
      );
    }
    return value;
  };
  const port = (name: string, fallback: bigint) => Number(integer(name, fallback, 0n, 65_535n));
  const optional = <T>(name: string, fallback: T, read: () => T): T | null => {
    const text = env[name]?.trim();
    if (text === 'off') return null;
    return text === undefined || text === '' ? fallback : read();
  };

  return {
    host: env['DEVNET_HOST']?.trim() || '127.0.0.1',
    rpcPort: port('DEVNET_RPC_PORT', 9000n),
    faucetPort: optional('DEVNET_FAUCET_PORT', 9123, () => port('DEVNET_FAUCET_PORT', 9123n)),
    controlPort: readControlPort(env, () => port('DEVNET_CONTROL_PORT', 9124n)),
    seed: env['DEVNET_SEED'] || null,
    epochSeconds: optional('DEVNET_EPOCH_SECONDS', 86_400, () =>
      Number(integer('DEVNET_EPOCH_SECONDS', 86_400n, 1n, 31_536_000n)),
    ),
    referenceGasPrice: integer('DEVNET_REFERENCE_GAS_PRICE', 1000n, 1n, 100_000n),
    faucetAmount: integer('DEVNET_FAUCET_AMOUNT', 10_000_000_000n, 1n, MAX_SAFE),
    faucetCoins: Number(integer('DEVNET_FAUCET_COINS', 5n, 1n, 100n)),
    genesisFunds: readGenesisFunds(env['DEVNET_GENESIS_FUNDS']),
    latencyMs: Number(integer('DEVNET_LATENCY_MS', 0n, 0n, 600_000n)),
    bodyLimitBytes: Number(integer('DEVNET_BODY_LIMIT_BYTES', 10_485_760n, 1024n, 1_073_741_824n)),
  };
}

/** Off unless asked for; `on` takes the usual port. */
function readControlPort(env: Environment, readPort: () => number): number | null {
  const text = env['DEVNET_CONTROL_PORT']?.trim();
  if (text === undefined || text === '' || text === 'off') return null;
  return text === 'on' ? 9124 : readPort();
}

function readGenesisFunds(text: string | undefined): GenesisFund[] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    const [address = '', amount = ''] = entry.split('=').map((part) => part.trim());
    const value = /^\d{1,20}$/.test(amount) ? BigInt(amount) : 0n;
    const valid = /^0x[0-9a-fA-F]{1,64}$/.test(address);
    if (
      !valid ||
      !isValidIotaAddress(normalizeIotaAddress(address)) ||
      value < 1n ||
      value > U64_MAX
    ) {
      throw new InvalidDevnetConfig(
        `DEVNET_GENESIS_FUNDS must be a list "0xaddress=amount,…" with amounts from 1 to ${U64_MAX}, got "${entry}"`,
      );
    }
    return { owner: normalizeIotaAddress(address), amount: value };
  });
}
