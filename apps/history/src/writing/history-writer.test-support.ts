import {
  type CoinStoreRedis,
  historyStreamKey,
  prepareCoinStore,
  registerSponsor,
} from '@forecourt/coin-store';
import {
  type EndedSponsorship,
  HISTORY_GROUP,
  type RefusedRequest,
  REFUSALS_KEY,
} from '@forecourt/contracts';
import { createIotaCodec } from '@forecourt/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import { partial, useRedis } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import type { Database } from '../database/database.js';
import { Partitions } from '../database/partitions.js';
import { anId } from '../history.test-support.js';
import { HistoryMetrics } from './history-metrics.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import { HistoryWriter } from './history-writer.js';
import { RecordWriter } from './record-writer.js';
import { RecordedNetwork } from './recorded-network.js';

export const useStreams = (): CoinStoreRedis =>
  useRedis<CoinStoreRedis>((url) => prepareCoinStore(new Redis(url)));

const BUDGET = '5000000';

/** The entry of an executed sponsorship; `over` replaces its fields. */
export function anEntry(over: Partial<EndedSponsorship> = {}): EndedSponsorship {
  const time = Date.now();
  return {
    v: '1',
    id: String(anId(time)),
    state: 'executed',
    ended: String(time),
    caller: 'shop',
    budget: BUDGET,
    sum: BUDGET,
    coins: '',
    digest: 'D1',
    transaction: '',
    rule: '',
    executor: 'executor-1',
    result: JSON.stringify({ outcome: 'success', computation: '1000', storage: '20', rebate: '3' }),
    counted: '1017',
    trail: '',
    ...over,
  };
}

/** Appends an entry to the stream of a sponsor, as its pool does. */
export async function append(
  redis: CoinStoreRedis,
  sponsor: string,
  entry: Partial<EndedSponsorship> = anEntry(),
): Promise<string> {
  await registerSponsor(redis, sponsor);
  return (await redis.xadd(historyStreamKey(sponsor), '*', ...pairsOf(entry)))!;
}

/** Appends a refused request, as gateways do. */
export async function appendRefusal(
  redis: CoinStoreRedis,
  over: Partial<RefusedRequest> = {},
): Promise<string> {
  const refused: RefusedRequest = {
    v: '1',
    at: String(Date.now()),
    route: 'POST /v1/execute_tx',
    token: 'shop',
    user: '',
    sender: '',
    sponsor: '',
    status: '403',
    code: 'FORBIDDEN',
    message: 'no',
    rule: '',
    digest: '',
    reservation: '',
    request: '',
    transaction: '',
    facts: '',
    ...over,
  };
  return (await redis.xadd(REFUSALS_KEY, '*', ...pairsOf(refused)))!;
}

const settings = { backlog: 1_000, batch: 50, gatherMs: 1, claimAfterMs: 100 };

/** One replica that writes into a database. */
export function aReplica(
  redis: CoinStoreRedis,
  database: Database,
  { id = 'replica-1', ...over }: Partial<typeof settings & { readonly id: string }> = {},
) {
  const outbox = partial<Webhooks>({ add: async () => new Set(), wake: async () => undefined });
  const records = new RecordWriter(database, new Partitions(database), createIotaCodec(), outbox);
  const network = new RecordedNetwork(redis, database);
  const logged: string[] = [];
  const log = (_fields: object, message = '') => void logged.push(message);
  const metrics = new Metrics();
  const writer = new HistoryWriter(
    redis,
    database,
    records,
    network,
    partial({ ...settings, ...over }),
    partial({ id }),
    new HistoryMetrics(metrics),
    partial({ error: log, info: log, warn: log }),
  );
  return { writer, logged, metrics, records, network };
}

function pairsOf(fields: object): string[] {
  return Object.entries(fields as Record<string, string>).flat();
}

/** Has a reader take entries that it never acknowledges, as one that dies does. */
export async function take(
  redis: CoinStoreRedis,
  sponsor: string,
  count: number,
  consumer: string,
): Promise<void> {
  const key = historyStreamKey(sponsor);
  await redis.xgroup('CREATE', key, HISTORY_GROUP, '0', 'MKSTREAM');
  await redis.xreadgroup('GROUP', HISTORY_GROUP, consumer, 'COUNT', count, 'STREAMS', key, '>');
}
