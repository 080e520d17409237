import { canonicalAddress } from '@forecourt/contracts';
import {
  checkFleetSecret,
  checkRedis,
  type ConfigOf,
  type Environment,
  fleetSecretVariables,
  fleetVariables,
  holdMs,
  submitWithinMs,
  ledgerVariables,
  readConfig,
  redisVariables,
  variable,
} from '@forecourt/runtime/config';

export const coinPoolVariables = {
  host: fleetVariables.host,
  port: variable.port('COIN_POOL_PORT', {
    default: 9531,
    description: 'TCP port for messages of gateways',
  }),
  healthPort: variable.port('COIN_POOL_HEALTH_PORT', {
    default: 9532,
    description: 'Port of the probes',
  }),
  logLevel: fleetVariables.logLevel,
  buildCommit: fleetVariables.buildCommit,
  ...fleetSecretVariables,
  ...redisVariables,
  drainMs: fleetVariables.drainMs,
  ...ledgerVariables,
  sponsorKeys: fleetVariables.sponsorKeys,
  sponsorKeysFile: fleetVariables.sponsorKeysFile,
  targetBalance: fleetVariables.poolTargetBalance,
  targetCoins: variable.integer('POOL_TARGET_COINS', {
    default: 500,
    description: 'Number of coins that the pool is filled to',
  }),
  minCoins: variable.integer('POOL_MIN_COINS', {
    default: 250,
    min: 0,
    description: 'Number of coins below which the pool is filled again',
  }),
  minFreeShare: variable.integer('POOL_MIN_FREE_SHARE', {
    default: 20,
    min: 0,
    max: 100,
    unit: '%',
    description:
      'Available share of `POOL_TARGET_COINS` below which coins are added, up to twice that number. 0: never',
  }),
  splitConcurrency: variable.fixed(8),
  consolidateAt: variable.fixed(50),
  announceAfterMs: variable.fixed(30_000),
  scanMs: variable.integer('POOL_SCAN_MS', {
    default: 10_000,
    min: 100,
    max: 86_400_000,
    unit: 'ms',
    description: 'Interval of the search for new coins of the sponsor',
  }),
  auditMs: variable.integer('POOL_AUDIT_MS', {
    default: 600_000,
    min: 0,
    max: 86_400_000,
    unit: 'ms',
    description:
      'Interval of the audit, which first corrects coins that changed outside the pool. 0: never',
  }),
  claimLeaseMs: variable.integer('CLAIM_LEASE_MS', {
    default: 5_000,
    min: 1_000,
    max: 600_000,
    unit: 'ms',
    description: 'Age at which an orphaned claim is released and a lost job enqueued again',
  }),
  withdrawAddresses: variable.parsed<readonly string[]>('WITHDRAW_ADDRESSES', {
    default: [],
    write: 'none',
    kind: 'list of addresses',
    description:
      'Addresses besides the sponsors’ that [withdrawals](command-line.md#withdraw) may go to. The same for every coin-pool',
    parse: parseAddresses,
  }),
  retentionMs: fleetVariables.retentionMs,
  historyBacklog: fleetVariables.historyBacklog,
};

export type CoinPoolConfig = ConfigOf<typeof coinPoolVariables> & {
  readonly requeueAfterMs: number;
  /** Duration of a suspension after Redis may have lost writes. */
  readonly holdMs: number;
  /** See `submitWithinMs`. */
  readonly submitWithinMs: number;
};

/** Addresses in full form. */
function parseAddresses(text: string): readonly string[] {
  return text.split(/[,\s]+/).map((part) => {
    const address = canonicalAddress(part);
    if (address === null) throw new Error('must be a list of addresses, 0x and hex digits each');
    return address;
  });
}

/** Injection token of `CoinPoolConfig`. */
export const COIN_POOL_CONFIG = Symbol('COIN_POOL_CONFIG');

/** Throws `ConfigError` naming every problem. */
export function readCoinPoolConfig(environment: Environment = process.env): CoinPoolConfig {
  const config = readConfig(coinPoolVariables, environment, (config) => {
    const { minCoins, targetCoins } = config;
    const exceeds = `POOL_MIN_COINS (${minCoins}) must not exceed POOL_TARGET_COINS (${targetCoins})`;
    return [
      ...checkRedis(config),
      ...checkFleetSecret(config),
      ...(minCoins > targetCoins ? [exceeds] : []),
    ];
  });
  const { claimLeaseMs, ledgerTimeoutMs } = config;
  return {
    ...config,
    requeueAfterMs: claimLeaseMs,
    holdMs: holdMs(ledgerTimeoutMs),
    submitWithinMs: submitWithinMs(ledgerTimeoutMs),
  };
}
