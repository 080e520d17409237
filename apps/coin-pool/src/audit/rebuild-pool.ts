import {
  listMaintenance,
  rebuildPool as rebuildInStore,
  snapshotPool,
  suspendPool,
} from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { GasCoin } from '@forecourt/ledger';
import type { Queue } from 'bullmq';
import type { CoinPoolConfig } from '../coin-pool-config.js';
import type { AuditDependencies } from './audit-dependencies.js';

export interface RebuildDependencies extends AuditDependencies {
  readonly queue: Pick<Queue<ExecuteTransactionJob>, 'getJobs'>;
  readonly settings: AuditDependencies['settings'] & Pick<CoinPoolConfig, 'holdMs'>;
}

/**
 * Suspends the pool when keys of it are missing, as after any loss of writes: coins in no state may be signed for. It is
 * rebuilt at the end of the suspension. Returns whether anything is missing.
 */
export async function suspendIfIncomplete(
  { redis, settings, logger, metrics }: RebuildDependencies,
  sponsor: string,
): Promise<boolean> {
  const { faults } = await snapshotPool(redis, sponsor);
  if (faults.length === 0) return false;
  if (await suspendPool(redis, sponsor, settings.holdMs)) {
    metrics.repairs.add({ cause: 'keys_lost' });
    const fields = { sponsor, count: faults.length, first: faults.slice(0, 20) };
    logger.error(fields, 'Pool suspended: Redis has lost some of its keys');
  }
  return true;
}

/** Rebuilds a suspended pool of which keys are missing. False when it has to be tried again: the ledger does not show all. */
export async function rebuildSuspended(
  dependencies: RebuildDependencies,
  sponsor: string,
): Promise<boolean> {
  const { redis, ledger, logger } = dependencies;
  const { faults, unplaced } = await snapshotPool(redis, sponsor);
  if (faults.length === 0) return true;
  // The epoch first: what is withheld in it is withheld until a later one.
  const { epoch } = await ledger.status(0);
  const { coins, gone } = await readCoins(dependencies, sponsor, unplaced);
  const found = { epoch, coins, gone, placesCoins: true };
  const rebuilt = await rebuild(dependencies, sponsor, found);
  logger.warn({ sponsor, ...rebuilt, repair: 'rebuilt' }, 'Pool rebuilt from the ledger');
  return rebuilt.isWhole;
}

/** Returns coins that were withheld once they have moved on, or a later epoch has begun. */
export async function returnWithheld(
  dependencies: RebuildDependencies,
  sponsor: string,
): Promise<void> {
  const { redis, ledger, logger } = dependencies;
  const operations = await listMaintenance(redis, sponsor);
  const withheld = operations.filter(({ kind }) => kind === 'lost').flatMap(({ coins }) => coins);
  if (withheld.length === 0) return;
  // A loss that has not been noticed yet is looked into first.
  if (await suspendIfIncomplete(dependencies, sponsor)) return;
  const { epoch } = await ledger.status(0);
  const shown = await ledger.readGasCoins(sponsor, withheld);
  const coins = [...shown.values()].filter((coin) => coin !== 'gone');
  const gone = [...shown].filter(([, coin]) => coin === 'gone').map(([objectId]) => objectId);
  const found = { epoch, coins, gone, placesCoins: false };
  const { placed } = await rebuild(dependencies, sponsor, found);
  if (placed > 0) logger.info({ sponsor, placed }, 'Withheld coins returned to the pool');
}

/** The sponsor's coins; ids of those in no state that are not the sponsor's any more. */
async function readCoins(
  { ledger }: RebuildDependencies,
  sponsor: string,
  unplaced: readonly string[],
) {
  const coins = new Map<string, GasCoin>();
  for await (const page of ledger.listGasCoins(sponsor)) {
    for (const coin of page) coins.set(coin.objectId, coin);
  }
  const missing = unplaced.filter((objectId) => !coins.has(objectId));
  const known = missing.map((objectId) => ({ objectId, version: 0 }));
  const gone: string[] = [];
  for (const [objectId, coin] of await ledger.readGasCoins(sponsor, known)) {
    if (coin === 'gone') gone.push(objectId);
    else coins.set(objectId, coin);
  }
  return { coins: [...coins.values()], gone };
}

async function rebuild(
  { redis, rules, queue }: RebuildDependencies,
  sponsor: string,
  found: { epoch: bigint; coins: readonly GasCoin[]; gone: string[]; placesCoins: boolean },
) {
  // Reservations in flight have a job, so that one whose index is lost is found again.
  const jobs = await queue.getJobs(['active', 'wait', 'prioritized', 'delayed']);
  const reservationIds = jobs
    .filter((job) => job?.data?.sponsor === sponsor)
    .map(({ data }) => data.reservationId);
  return rebuildInStore(redis, sponsor, { ...found, reservationIds, rules });
}
