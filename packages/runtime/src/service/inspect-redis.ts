import type { Redis } from 'ioredis';
import { listMasters, type RedisConnection } from '../redis/index.js';

/** The durability of a Redis, and its consequences for coins. */
export interface RedisDurability {
  readonly version: string;
  /** The settings of every server that holds data, separated by commas. */
  readonly runId: string;
  /**
   * The replications that servers were promoted from, separated by commas; '': none was, or no longer knows.
   */
  readonly promotedFrom: string;
  readonly appendOnly: boolean;
  /** Null where the server forbids CONFIG, as managed services do. */
  readonly appendFsync: string | null;
  readonly maxMemoryPolicy: string;
  /** Whether the last writes may be lost: in a crash of the server, or in a failover. */
  readonly mayForget: boolean;
  /** One sentence each, worst first; empty when there is none. */
  readonly warnings: readonly string[];
}

/**
 * Inspects the durability of a Redis; of a cluster's masters the weakest counts. Throws when a server does
 * not answer.
 */
export async function inspectRedis(redis: RedisConnection): Promise<RedisDurability> {
  const servers = await Promise.all((await listMasters(redis)).map(inspectServer));
  const weakest = servers.toSorted((a, b) => b.warnings.length - a.warnings.length)[0]!;
  const runIds = servers.map(({ runId }) => runId).sort();
  const promotedFrom = servers.flatMap((server) => server.promotedFrom || []).sort();
  const mayForget = servers.some((server) => server.mayForget);
  return { ...weakest, mayForget, runId: runIds.join(','), promotedFrom: promotedFrom.join(',') };
}

async function inspectServer(redis: Redis): Promise<RedisDurability> {
  const info = parseInfo(await redis.info());
  const appendOnly = info.get('aof_enabled') === '1';
  const maxMemoryPolicy = info.get('maxmemory_policy') ?? '';
  const appendFsync = await readFsync(redis);
  const promotedFrom = readPromotedFrom(info);
  return {
    version: info.get('redis_version') ?? 'unknown',
    runId: info.get('run_id') ?? '',
    promotedFrom,
    appendOnly,
    appendFsync,
    maxMemoryPolicy,
    mayForget: !appendOnly || appendFsync !== 'always' || promotedFrom !== '',
    warnings: warn(appendOnly, appendFsync, maxMemoryPolicy),
  };
}

/** A promoted replica has a second replication id: that of its former master. Zeros mean none. */
function readPromotedFrom(info: Map<string, string>): string {
  const id = info.get('master_replid2') ?? '';
  return /[^0]/.test(id) ? id : '';
}

function warn(appendOnly: boolean, appendFsync: string | null, maxMemoryPolicy: string): string[] {
  const warnings: string[] = [];
  if (maxMemoryPolicy !== 'noeviction') {
    warnings.push(
      `maxmemory-policy is ${maxMemoryPolicy}: Redis may drop coins and jobs when memory runs short; set it to noeviction`,
    );
  }
  if (!appendOnly) {
    warnings.push('appendonly is off: a crash of Redis loses all reservations; set it to yes');
  } else if (appendFsync === null) {
    warnings.push('Redis does not disclose appendfsync: make sure that it is always');
  } else if (appendFsync !== 'always') {
    warnings.push(
      `appendfsync is ${appendFsync}: a crash of Redis may lose its last second of writes; set it to always`,
    );
  }
  return warnings;
}

/** Null where CONFIG is forbidden: INFO does not show this setting. */
async function readFsync(redis: Redis): Promise<string | null> {
  try {
    const [, value] = (await redis.config('GET', 'appendfsync')) as [string, string?];
    return value ?? null;
  } catch {
    return null;
  }
}

function parseInfo(text: string): Map<string, string> {
  const lines = text.split('\r\n').map((line) => line.split(':') as [string, string?]);
  return new Map(lines.map(([name, value]) => [name, value ?? '']));
}
