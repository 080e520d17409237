import { ForecourtError } from '@forecourt/contracts';
import type { GatewayConfig } from '../gateway-config.js';
import { type ReplicaAddress, replicasAt, ServiceReplicas } from '../replicas/service-replicas.js';

export type CoinPoolSettings = Pick<
  GatewayConfig,
  'coinPools' | 'coinPoolTimeoutMs' | 'fleetSecrets'
>;

/** An upgrade takes longer than most conditions that a caller waits for. */
const RETRY_AFTER_UPGRADE_SECS = 5;

/**
 * The coin-pool's replicas. Besides the coin-pool's errors, a message throws STORE_UNREACHABLE when no replica or no Redis
 * answers, POOL_REFUSED when no replica serves, and COIN_POOL_OUTDATED when those that do are too old.
 */
export class CoinPoolReplicas extends ServiceReplicas {
  constructor(
    replicas: readonly ReplicaAddress[],
    { coinPoolTimeoutMs }: Pick<CoinPoolSettings, 'coinPoolTimeoutMs'>,
  ) {
    super(replicas, {
      service: 'a coin-pool',
      timeoutMs: coinPoolTimeoutMs,
      unreachable: 'STORE_UNREACHABLE',
      resting: new Set(['POOL_REFUSED']),
      // Another replica may have received the key of a sponsor that is unknown to this one.
      othersMayServe: new Set(['POOL_REFUSED', 'COIN_POOL_OUTDATED', 'INVALID_REQUEST']),
      outdated,
    });
  }

  /** The replicas at the configured addresses. */
  static at(settings: CoinPoolSettings): CoinPoolReplicas {
    const { coinPools, fleetSecrets } = settings;
    return new CoinPoolReplicas(replicasAt(coinPools, fleetSecrets), settings);
  }
}

function outdated(cmd: string, address: string, why: string): ForecourtError {
  const cause = new Error(
    `The coin-pool at ${address} is too old for the message ${cmd}: ${why}. ` +
      'Upgrade coin-pools before gateways, and roll gateways back before coin-pools.',
  );
  const retryAfterSecs = RETRY_AFTER_UPGRADE_SECS;
  return new ForecourtError('COIN_POOL_OUTDATED', '', { cause, retryAfterSecs });
}
