import { type PlacedCoin, renewCoin, snapshotPool } from '@forecourt/coin-store';
import type { GasCoin } from '@forecourt/ledger';
import type { PoolParts } from '../pool/pool-parts.js';

/** Where nothing of ours can be changing a coin. */
const AT_REST: readonly PlacedCoin['state'][] = ['available', 'dust', 'treasury', 'reserved'];

/**
 * Puts right what the ledger shows otherwise: coins that were spent or changed by the sponsor's own wallet, or by
 * transactions that Redis has forgotten. Only what is later on the ledger counts; a node may lag. Answers how many.
 */
export async function reconcilePool(parts: PoolParts, sponsor: string): Promise<number> {
  const { redis, ledger } = parts;
  const { coins } = await snapshotPool(redis, sponsor);
  const onLedger = new Map<string, GasCoin>();
  for await (const page of ledger.listGasCoins(sponsor)) {
    for (const coin of page) onLedger.set(coin.objectId, coin);
  }
  const atRest = coins.filter(({ state }) => AT_REST.includes(state));
  const missing = atRest.filter(({ objectId }) => !onLedger.has(objectId));
  const shown = await ledger.readGasCoins(
    sponsor,
    missing.map(({ objectId }) => objectId),
  );
  let repaired = 0;
  for (const before of atRest) {
    const after = onLedger.get(before.objectId) ?? shown.get(before.objectId);
    if (after === undefined || (after !== 'gone' && after.version <= before.version)) continue;
    repaired += Number(await renew(parts, sponsor, before, after));
  }
  return repaired;
}

async function renew(
  { redis, rules, settings, logger, metrics }: PoolParts,
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
    'a coin was changed elsewhere',
  );
  return true;
}
