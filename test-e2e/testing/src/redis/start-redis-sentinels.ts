import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';
import { endServerProcess, startServerProcess } from './server-process.js';
import { startRedisServer } from './start-redis-server.js';
import type { RedisServer } from './redis-server.js';
import { waitUntil } from '../wait-until.js';

const SENTINELS = 3;
const QUORUM = 2;
/** The sentinels' name of the master. */
const NAME = 'mymaster';

/**
 * A private master with one replica, and sentinels that promote the replica when the master is
 * gone.
 */
export interface RedisSentinels {
  readonly master: RedisServer;
  readonly replica: RedisServer;
  /** Of the sentinels. */
  readonly urls: readonly string[];
  /** The port of the master according to the sentinels. */
  masterPort(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts them all on loopback and waits until every sentinel knows the others and the replica. */
export async function startRedisSentinels(): Promise<RedisSentinels> {
  const dir = mkdtempSync(join(tmpdir(), 'forecourt-sentinels-'));
  const started: { stop(signal?: NodeJS.Signals): Promise<void> }[] = [];
  const stop = async () => {
    for (const one of started.toReversed()) await one.stop('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const master = await startRedisServer();
    started.push(master);
    const replica = await startRedisServer({
      settings: { replicaof: `127.0.0.1 ${master.port}` },
    });
    started.push(replica);
    await untilReplicated(master.url);
    const urls: string[] = [];
    for (let index = 0; index < SENTINELS; index++) {
      const port = await freePort();
      const child = await startSentinel(join(dir, `${port}.conf`), port, master.port);
      started.push({ stop: (signal = 'SIGTERM') => endServerProcess(child, signal) });
      urls.push(`redis://127.0.0.1:${port}`);
    }
    await untilWatched(urls);
    return { master, replica, urls, masterPort: () => masterPort(urls[0]!), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startSentinel(file: string, port: number, masterPort: number): Promise<ChildProcess> {
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `sentinel monitor ${NAME} 127.0.0.1 ${masterPort} ${QUORUM}`,
    `sentinel down-after-milliseconds ${NAME} 1000`,
    `sentinel failover-timeout ${NAME} 10000`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return startServerProcess([file, '--sentinel'], '+monitor master');
}

async function untilReplicated(masterUrl: string): Promise<void> {
  const client = new Redis(masterUrl);
  try {
    const isOnline = async () => (await client.info('replication')).includes('state=online');
    await waitUntil(isOnline, { what: 'the replica to be online' });
  } finally {
    client.disconnect();
  }
}

async function untilWatched(urls: readonly string[]): Promise<void> {
  const clients = urls.map((url) => new Redis(url));
  try {
    const areAcquainted = async () => {
      const answers = await Promise.all(
        clients.map((client) => client.call('SENTINEL', 'MASTER', NAME) as Promise<string[]>),
      );
      return answers.every((answer) => {
        const known = (name: string) => answer[answer.indexOf(name) + 1];
        return known('num-slaves') === '1' && known('num-other-sentinels') === `${SENTINELS - 1}`;
      });
    };
    await waitUntil(areAcquainted, { what: 'the sentinels to know one another' });
  } finally {
    for (const client of clients) client.disconnect();
  }
}

async function masterPort(sentinelUrl: string): Promise<number> {
  const client = new Redis(sentinelUrl);
  try {
    const [, port] = (await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME)) as string[];
    return Number(port);
  } finally {
    client.disconnect();
  }
}
