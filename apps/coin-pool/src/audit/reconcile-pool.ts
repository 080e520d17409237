import { type PlacedCoin, renewCoin, snapshotPool } from '@forecourt/coin-store';
import type { GasCoin } from '@forecourt/ledger';
import type { AuditDependencies } from './audit-dependencies.js';

/** States in which no transaction of this service can be changing a coin. */
const AT_REST: readonly PlacedCoin['state'][] = ['available', 'dust', 'treasury', 'reserved'];

/**
 * Corrects coins that differ on the ledger because the sponsor's own wallet, or a transaction that Redis has lost,
 * spent or changed them. Only a later version on the ledger counts, since a node may lag. Returns the number of
 * corrected coins.
 */
export async function reconcilePool(
  dependencies: AuditDependencies,
  sponsor: string,
): Promise<number> {
  const { redis, ledger } = dependencies;
  const { coins } = await snapshotPool(redis, sponsor);
  const onLedger = new Map<string, GasCoin>();
  for await (const page of ledger.listGasCoins(sponsor)) {
    for (const coin of page) onLedger.set(coin.objectId, coin);
  }
  const atRest = coins.filter(({ state }) => AT_REST.includes(state));
  const missing = atRest.filter(({ objectId }) => !onLedger.has(objectId));
  const shown = await ledger.readGasCoins(sponsor, missing);
  let repaired = 0;
  for (const before of atRest) {
    const after = onLedger.get(before.objectId) ?? shown.get(before.objectId);
    if (after === undefined || (after !== 'gone' && after.version <= before.version)) continue;
    repaired += Number(await renew(dependencies, sponsor, before, after));
  }
  return repaired;
}

async function renew(
  { redis, rules, settings, logger, metrics }: AuditDependencies,
  sponsor: string,
  before: PlacedCoin,
  after: GasCoin | 'gone',
): Promise<boolean> {
  const { retentionMs } = settings;
  const coin = after === 'gone' ? null : after;
  if (!(await renewCoin(redis, sponsor, { before, after: coin, rules, retentionMs }))) return false;
  const { objectId, state, version } = before;
  const now = coin === null ? 'gone' : coin.version;
  metrics.repairs.add({ cause: 'coin_changed_elsewhere' });
  logger.warn(
    { sponsor, objectId, state, version, now, repair: 'renewed' },
    'Coin corrected: it was changed outside the pool',
  );
  return true;
}
