import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inheritedEnvironment } from '../processes/inherited-environment-config.js';
import { Watchdog } from '../processes/watchdog.js';
import { startRedisServer } from '../redis/index.js';
import { readUsersTemplate } from '../redis-users/read-users-template.js';
import { RedisCredentials } from '../redis-users/redis-credentials.js';
import { randomPorts } from './ports.js';
import { provideDatabase } from './provide-database.js';
import type { SystemFacts } from './service-environment.js';
import { createSponsorKey } from './sponsor-key.js';
import type { Start } from './start.js';
import { startDevnet } from './start-devnet.js';
import { startServices } from './start-services.js';
import { System } from './system.js';
import type { SystemOptions } from './system-options.js';

/** Tests end epochs early. */
const DEVNET_STATUS_MAX_AGE_MS = '1000';

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * Starts Redis, a devnet and every service, each in its own process, and waits until all are ready.
 * When one of them fails, stops the others and throws an error with its last log lines.
 */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const ports =
    options.ports === undefined || options.ports === 'random' ? randomPorts : options.ports;
  const watchdog = new Watchdog();
  const say = options.onProgress ?? (() => {});
  const logDir = options.logDir ?? mkdtempSync(join(tmpdir(), 'forecourt-logs-'));
  const sponsor = options.sponsor ?? createSponsorKey();
  const ledgerUrl =
    options.ledgerUrl ?? `http://127.0.0.1:${await ports('DEVNET_RPC_PORT', 9000, 0)}`;
  const nodeUrl =
    options.dialect === 'grpc' && options.ledgerUrl === undefined
      ? `grpc://127.0.0.1:${await ports('DEVNET_GRPC_PORT', 50_051, 0)}`
      : ledgerUrl;
  const facts: Mutable<SystemFacts> = {
    redisUrl: '',
    redisUrlOf: () => facts.redisUrl,
    ledgerUrl,
    nodeUrl,
    sponsorSecrets: options.sponsorSecrets ?? [sponsor.secret],
    sponsorKeysFile: options.sponsorKeysFile ?? null,
    tokens: options.tokens ?? [randomBytes(24).toString('base64url')],
    fleetSecret: options.fleetSecret ?? randomBytes(32).toString('base64url'),
    databaseUrl: null,
  };
  const system = new System(facts, watchdog, logDir);
  system.sponsor = sponsor.address;
  // No load balancer has to detect the stop of a service.
  const env = {
    ...inheritedEnvironment(),
    SHUTDOWN_DRAIN_MS: '0',
    ...(options.ledgerUrl === undefined && { LEDGER_STATUS_MAX_AGE_MS: DEVNET_STATUS_MAX_AGE_MS }),
    ...options.env,
  };
  const start: Start = { system, options, ports, watchdog, env, say };
  const giveUp = () => void system.stop(5_000);
  options.signal?.addEventListener('abort', giveUp);
  try {
    options.signal?.throwIfAborted();
    await provideRedis(start, facts);
    options.signal?.throwIfAborted();
    system.database = await provideDatabase(start);
    facts.databaseUrl = system.database?.url ?? null;
    options.signal?.throwIfAborted();
    if (options.ledgerUrl === undefined) await startDevnet(start);
    if (options.reachNodeBy) facts.nodeUrl = await options.reachNodeBy(nodeUrl);
    options.signal?.throwIfAborted();
    await startServices(start);
    return system;
  } catch (error) {
    await system.stop(5_000);
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', giveUp);
  }
}

/**
 * Uses the given Redis unchanged, or starts one in which each service has its own user and
 * password.
 */
async function provideRedis(start: Start, facts: Mutable<SystemFacts>): Promise<void> {
  const { options, system, watchdog, ports, say } = start;
  const settings = options.redis ?? {};
  if ('url' in settings) {
    facts.redisUrl = settings.url;
    return;
  }
  const port = settings.port ?? (await ports('FORECOURT_REDIS_PORT', 9379, 0));
  say(`Redis on port ${port}`);
  const credentials = new RedisCredentials(readUsersTemplate());
  const users = credentials.aclLines;
  const redis = await startRedisServer({ ...settings, port, users, watchdog });
  system.redis = redis;
  const { reachRedisBy = (url: string) => Promise.resolve(url) } = options;
  const reached = await reachRedisBy(redis.url);
  facts.redisUrl = credentials.urlOf('operator', reached);
  facts.redisUrlOf = (service) => credentials.urlOf(service, reached);
}
