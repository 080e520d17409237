import { HISTORY_BACKLOG_KEY, HISTORY_GROUP, HISTORY_OFF } from '@forecourt/contracts';
import { listSponsors } from '../pool/sponsor-registry.js';
import { type CoinStoreRedis, poolKey, runScript } from '../scripts/run-script.js';

const ENTRIES_PER_CALL = 500;

/** The key of a pool's stream of ended sponsorships (`EndedSponsorship`). */
export function historyStreamKey(sponsor: string): string {
  return poolKey(sponsor, 'history');
}

/**
 * The key of a pool's stream of transactions that were found on the ledger (`RebuiltSponsorship`,
 * `UnexplainedGas`).
 */
export function rebuiltStreamKey(sponsor: string): string {
  return poolKey(sponsor, 'history-rebuilt');
}

/** The key of a pool's stream of quarantines (`StoredSponsorship`). */
export function quarantineNewsKey(sponsor: string): string {
  return poolKey(sponsor, 'quarantine-news');
}

/** The key of a pool's stream of thresholds that budgets have reached (`ThresholdEntry`). */
export function thresholdsKey(sponsor: string): string {
  return poolKey(sponsor, 'history-thresholds');
}

/**
 * Turns a pool's history on, with at most `backlog` entries in its stream (large ones count several times),
 * or off (null).
 */
export async function setHistoryBacklog(
  redis: CoinStoreRedis,
  sponsor: string,
  backlog: number | null,
): Promise<void> {
  await redis.set(poolKey(sponsor, 'history-backlog'), backlog ?? HISTORY_OFF);
}

/** Turns history on, or off (null), for the gateways and for the pools of all sponsors. */
export async function announceHistory(
  redis: CoinStoreRedis,
  backlog: number | null,
): Promise<void> {
  await redis.set(HISTORY_BACKLOG_KEY, backlog ?? HISTORY_OFF);
  for (const sponsor of (await listSponsors(redis)).values()) {
    await setHistoryBacklog(redis, sponsor, backlog);
  }
}

/** How much of its bound a pool's stream uses: its entries, of which large ones count several times. */
export async function countBacklog(redis: CoinStoreRedis, sponsor: string): Promise<number> {
  const [entries, weight] = await Promise.all([
    redis.xlen(historyStreamKey(sponsor)),
    redis.get(poolKey(sponsor, 'history-weight')),
  ]);
  return entries + Number(weight ?? 0);
}

/** Number of ended sponsorships of a pool that its stream had no room for. */
export async function countDroppedEntries(redis: CoinStoreRedis, sponsor: string): Promise<number> {
  return Number((await redis.get(poolKey(sponsor, 'history-dropped'))) ?? 0);
}

/** The number of an entry: those of an era are consecutive, from 1. */
export interface EntryNumber {
  /** When it began, in ms since 1970. */
  readonly era: number;
  readonly number: number;
}

/** Reads the number of an entry, or of the last one. Null for any other text. */
export function readEntryNumber(text: string): EntryNumber | null {
  const [, era, number] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  return era === undefined ? null : { era: Number(era), number: Number(number) };
}

/**
 * The number of the last entry of a pool's stream, whether that is still there; null: there was none in this
 * era.
 */
export async function readLastNumber(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<EntryNumber | null> {
  return readEntryNumber((await redis.get(poolKey(sponsor, 'history-number'))) ?? '');
}

/** An entry of a pool's stream that is in the database. */
export interface WrittenEntry {
  /** Id in the stream. */
  readonly entry: string;
  readonly reservationId: number;
  /** As the entry has it, escaped; empty: none. */
  readonly digest: string;
}

/**
 * Acknowledges and deletes entries. From now on only the database knows their sponsorships. Returns the
 * number of those that were still there.
 */
export async function acknowledgeHistory(
  redis: CoinStoreRedis,
  sponsor: string,
  written: readonly WrittenEntry[],
): Promise<number> {
  let deleted = 0;
  for (let from = 0; from < written.length; from += ENTRIES_PER_CALL) {
    const args = written
      .slice(from, from + ENTRIES_PER_CALL)
      .flatMap(({ entry, reservationId, digest }) => [entry, reservationId, digest]);
    deleted += Number(
      await runScript(redis, 'acknowledge-history', sponsor, HISTORY_GROUP, ...args),
    );
  }
  return deleted;
}
