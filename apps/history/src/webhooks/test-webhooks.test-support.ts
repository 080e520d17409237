import { afterAll, afterEach, beforeEach } from '@jest/globals';
import { prepareCoinStore } from '@forecourt/coin-store';
import type { DeliveryFilters, WebhookDelivery } from '@forecourt/contracts';
import { createIotaCodec } from '@forecourt/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import { createLogger } from '@forecourt/runtime/service';
import { TemporaryFolder, useRedis } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import { useTables } from '../history.test-support.js';
import { anEvent, SECRET } from './deliveries.test-support.js';
import { startReceiver, type TestReceiver } from './test-receiver.test-support.js';
import { Webhooks } from './webhooks.js';

/** The events of these tests happened in 1970, and none may be deleted as too old. */
const A_CENTURY_MS = 100 * 365 * 86_400_000;

/** A viewer who sees everything. */
export const ALL = { token: null, user: null };

/** Webhooks of a token and of the fleet, as entries of the file of tokens. */
interface Configured {
  readonly shop?: readonly string[];
  readonly fleet?: readonly string[];
  /** False: it delivers nothing. */
  readonly begin?: boolean;
}

/** A database, a Redis and a receiver for the tests of a file; each test begins without deliveries. */
export class TestWebhooks {
  readonly tables = useTables();
  readonly redis = useRedis((url) => prepareCoinStore(new Redis(url)));
  receiver!: TestReceiver;
  readonly #folder = new TemporaryFolder();
  readonly #running: Webhooks[] = [];

  constructor() {
    beforeEach(async () => {
      this.receiver = await startReceiver();
      await this.redis.flushall();
      await this.tables.database.pool.query(
        'TRUNCATE webhook_deliveries, webhook_attempts, webhook_receivers, webhook_cursors',
      );
    });
    afterEach(async () => {
      await this.stopAll();
      await this.receiver.stop();
    });
    afterAll(() => this.#folder.remove());
  }

  urlOf(path: string): string {
    return `http://127.0.0.1:${this.receiver.port}${path}`;
  }

  hook(path: string): string {
    return `{ url: '${this.urlOf(path)}', secret: ${SECRET} }`;
  }

  writeTokens(text: string): string {
    return this.#folder.write('tokens.yaml', text);
  }

  /** A replica, and what it has of the file of tokens. */
  async start(configured: Configured = {}): Promise<Webhooks> {
    const { shop = [this.hook('/shop')], fleet = [], begin = true } = configured;
    const tokensFile = this.writeTokens(`tokens:
  - { name: shop, hash: ${'a'.repeat(64)}, role: sponsor, webhooks: [${shop.join(', ')}] }
fleet-webhooks: [${fleet.join(', ')}]`);
    const { host, port } = (this.redis as unknown as Redis).options;
    const settings = {
      redisMode: 'single',
      redisUrls: [`redis://${host}:${port}`],
      redisSentinelMaster: '',
      redisSentinelPassword: null,
      tokensFile,
      webhookAllowedHosts: [`127.0.0.1:${this.receiver.port}`],
      retentionMs: A_CENTURY_MS,
    } as const;
    const webhooks = await Webhooks.open(settings, {
      database: this.tables.database,
      redis: this.redis,
      decoder: createIotaCodec(),
      metrics: new Metrics(),
      logger: createLogger('test', 'silent'),
    });
    this.#running.push(webhooks);
    if (begin) webhooks.start();
    return webhooks;
  }

  async stopAll(): Promise<void> {
    for (const one of this.#running.splice(0)) await one.stop();
  }

  /** Adds an event for each key, and wakes the receivers. */
  async add(webhooks: Webhooks, ...keys: string[]): Promise<void> {
    await webhooks.wake(await this.addOnly(webhooks, ...keys));
  }

  addOnly(webhooks: Webhooks, ...keys: string[]): Promise<ReadonlySet<string>> {
    const events = keys.map((key) => anEvent(key));
    return this.tables.database.transaction((client) => webhooks.add(client, events));
  }

  /** The keys of the events that were received at a path. */
  keysAt(path: string): string[] {
    const there = this.receiver.received.filter((one) => one.path === path);
    return there.map(({ body }) => (JSON.parse(body) as { data: { key: string } }).data.key);
  }

  async list(
    webhooks: Webhooks,
    filters: DeliveryFilters = {},
  ): Promise<readonly WebhookDelivery[]> {
    const page = { viewer: ALL, filters, limit: 1_000 };
    return (await webhooks.answers.listDeliveries(page)).data;
  }
}
