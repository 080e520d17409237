import { sponsorshipEvents, type WebhookDelivery } from '@forecourt/contracts';
import { type WebhookParts, Webhooks } from '@forecourt/history/webhooks';
import { createIotaCodec } from '@forecourt/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import { createLogger } from '@forecourt/runtime/service';
import { waitUntil } from '@forecourt/testing/redis';
import { type CrowdSize, ReceiverCrowd } from './receiver-crowd.js';

export interface CrowdOptions {
  readonly size: CrowdSize;
  /** Events that every receiver gets. */
  readonly events: number;
  /** With the tables of history. */
  readonly database: WebhookParts['database'];
  readonly redis: WebhookParts['redis'];
  readonly redisUrl: string;
  /** Writes the file of tokens and returns its path. */
  readonly writeTokens: (text: string) => string;
}

export interface CrowdMeasurement {
  /** Time from the transaction to the arrival at receivers that answer, in ms. */
  readonly latencies: readonly number[];
  /** Deliveries to the other receivers that are listed with a failed attempt. */
  readonly listedFailures: number;
  /** Deliveries to the other receivers that arrived after they had been sent again by hand. */
  readonly redelivered: number;
  /** Requests that followed a redirect. */
  readonly redirected: number;
}

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const TOKEN = 'crowd';
const WITHIN_MS = 120_000;
const ALL = { token: null, user: null };

/** Notifies many receivers, of which some hang, fail or redirect to loopback. */
export async function measureReceivers(options: CrowdOptions): Promise<CrowdMeasurement> {
  const { database, redis, redisUrl, size, writeTokens } = options;
  const crowd = await ReceiverCrowd.start(size);
  const settings = {
    redisMode: 'single',
    redisUrls: [redisUrl],
    redisSentinelMaster: '',
    redisSentinelPassword: null,
    tokensFile: writeTokens(tokensOf(crowd)),
    webhookAllowedHosts: [crowd.host],
    retentionMs: Date.now(),
  } as const;
  const logger = createLogger('webhooks', 'silent');
  const decoder = createIotaCodec();
  const parts = { database, redis, decoder, metrics: new Metrics(), logger };
  const webhooks = await Webhooks.open(settings, parts);
  webhooks.start();
  try {
    const latencies = await notify(crowd, webhooks, options);
    const failures = await awaitFailures(crowd, webhooks);
    const redelivered = await redeliver(crowd, webhooks, failures);
    const { redirected } = crowd;
    return { latencies, listedFailures: failures.length, redelivered, redirected };
  } finally {
    await webhooks.stop();
    crowd.stop();
  }
}

/**
 * Adds one event after the other; the receivers that do not answer are met again by each. Returns the times
 * of arrival.
 */
async function notify(
  crowd: ReceiverCrowd,
  webhooks: Webhooks,
  { events, database }: CrowdOptions,
): Promise<number[]> {
  const healthy = crowd.with('receives');
  const latencies: number[] = [];
  for (let index = 0; index < events; index += 1) {
    const addedAt = performance.now();
    const event = anEvent(index);
    await webhooks.wake(await database.transaction((client) => webhooks.add(client, [event])));
    const haveArrived = async () => healthy.every(({ arrivals }) => arrivals.size > index);
    await waitUntil(haveArrived, { what: 'every healthy receiver', timeoutMs: WITHIN_MS });
    latencies.push(...healthy.map(({ arrivals }) => [...arrivals.values()].at(-1)! - addedAt));
  }
  return latencies;
}

/** The deliveries to the other receivers that have a failed attempt: at least one of each. */
async function awaitFailures(
  crowd: ReceiverCrowd,
  webhooks: Webhooks,
): Promise<readonly WebhookDelivery[]> {
  const others = crowd.receivers.length - crowd.with('receives').length;
  let failures: readonly WebhookDelivery[] = [];
  const haveFailed = async () => {
    const filters = { status: 'waiting' } as const;
    const page = await webhooks.answers.listDeliveries({ viewer: ALL, filters, limit: 1_000 });
    failures = page.data.filter(({ attempts }) => attempts.some(({ error }) => error !== null));
    return new Set(failures.map(({ url }) => url)).size === others;
  };
  await waitUntil(haveFailed, { what: 'an attempt at every receiver', timeoutMs: WITHIN_MS });
  return failures;
}

/** Has failed deliveries repeated after the receivers have recovered. Returns how many have arrived. */
async function redeliver(
  crowd: ReceiverCrowd,
  webhooks: Webhooks,
  failures: readonly WebhookDelivery[],
): Promise<number> {
  for (const one of crowd.receivers) one.behaviour = 'receives';
  for (const { id } of failures) await webhooks.answers.redeliver({ viewer: ALL, id });
  const countArrived = () => {
    const ids = new Set(crowd.receivers.flatMap(({ arrivals }) => [...arrivals.keys()]));
    return failures.filter(({ id }) => ids.has(id)).length;
  };
  const haveArrived = async () => countArrived() === failures.length;
  await waitUntil(haveArrived, { what: 'every repeated delivery', timeoutMs: WITHIN_MS });
  return countArrived();
}

function anEvent(index: number) {
  const type = sponsorshipEvents[0];
  const time = Date.now();
  const data = { reservation_id: index, text: 'x'.repeat(2_000) };
  return { key: `event ${index}`, type, token: TOKEN, at: time, data };
}

function tokensOf({ receivers }: ReceiverCrowd): string {
  const webhooks = receivers.map(({ url }) => `      - { url: '${url}', secret: ${SECRET} }`);
  const hash = 'c'.repeat(64);
  return `tokens:\n  - name: ${TOKEN}\n    hash: ${hash}\n    role: sponsor\n    webhooks:\n${webhooks.join('\n')}\n`;
}
