import {
  type CoinStoreRedis,
  listSponsors,
  openPool,
  registerSponsor,
} from '@forecourt/coin-store';
import { type Ledger, LedgerUnreachable, type Signer } from '@forecourt/ledger';
import { type Logger, retryUntilAvailable } from '@forecourt/runtime/service';
import type { CoinPoolConfig } from '../coin-pool-config.js';
import type { PoolState } from './pool-state.js';

/** The pool in Redis was filled on another network than the node serves. */
export class WrongNetwork extends Error {
  override readonly name = 'WrongNetwork';

  constructor(sponsor: string, belongsTo: string, chain: string) {
    super(
      `The pool of sponsor ${sponsor} belongs to network ${belongsTo}, but the node at LEDGER_URL serves network ${chain}. ` +
        'Point LEDGER_URL at a node of the pool’s network, or REDIS_URL at another Redis or another database of it ' +
        '(redis://host:port/1) for the new network; the coins of the old one stay on their ledger.',
    );
  }
}

/** Dependencies of opening the pools. */
export interface OpenPoolsDependencies {
  readonly redis: CoinStoreRedis;
  readonly ledger: Pick<Ledger, 'chainIdentifier' | 'hasPaidForGas'>;
  readonly signers: readonly Signer[];
  readonly state: PoolState;
  readonly settings: Pick<CoinPoolConfig, 'holdMs'>;
  readonly logger: Logger;
}

/**
 * Opens the pool of every sponsor for the node's network; waits for a node that does not answer. Where Redis knows
 * no sponsor at all, the pool of a sponsor that has paid for gas is suspended at first: Redis may have lost it,
 * with transactions in flight. Throws the errors of `openPoolOf`, and `Error` when the nodes are on two networks.
 */
export async function openPools(dependencies: OpenPoolsDependencies): Promise<void> {
  const { redis, ledger, signers, settings, logger, state } = dependencies;
  const isOutage = (error: unknown) => error instanceof LedgerUnreachable;
  const outage = { service: 'the ledger node', isOutage, logger };
  const chain = await retryUntilAvailable(outage, () => ledger.chainIdentifier());
  const isEmpty = (await listSponsors(redis)).size === 0;
  for (const { address } of signers) {
    const mayBeLost =
      isEmpty && (await retryUntilAvailable(outage, () => ledger.hasPaidForGas(address)));
    const suspendMs = mayBeLost ? settings.holdMs : 0;
    const opened = await openPool(redis, address, chain, suspendMs);
    if (!opened.opened) throw new WrongNetwork(address, opened.belongsTo, chain);
  }
  // Not earlier: another coin-pool that starts too must find Redis empty until all pools are suspended.
  for (const { address } of signers) {
    const index = await openPoolOf(redis, address, chain);
    state.sponsors.add(address);
    logger.info({ sponsor: address, index, network: chain }, 'Pool opened');
  }
  state.chain = chain;
}

/**
 * Opens the pool of one sponsor for a network, in Redis; returns the sponsor's index. Idempotent. Throws
 * `WrongNetwork`, `PoolTooNew`, `Error` when the fleet has no index left for the sponsor, and Redis's errors.
 */
export async function openPoolOf(
  redis: CoinStoreRedis,
  sponsor: string,
  chain: string,
): Promise<number> {
  const index = await registerSponsor(redis, sponsor);
  const opened = await openPool(redis, sponsor, chain);
  if (!opened.opened) throw new WrongNetwork(sponsor, opened.belongsTo, chain);
  return index;
}
