import { get, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { System } from '@forecourt/testing/system';
import { Redis } from 'ioredis';

const HEAP = /^forecourt_nodejs_heap_size_used_bytes (\S+)/m;
const EXTERNAL = /^forecourt_nodejs_external_memory_bytes (\S+)/m;
/** A collection ends well before this time. */
const COLLECTED_MS = 500;

/**
 * Bytes that each process keeps after its garbage is collected: a service's heap and buffers, and
 * Redis's memory.
 */
export async function keptMemory(system: System): Promise<Map<string, number>> {
  const kept = new Map<string, number>();
  for (const service of system.processes) service.kill('SIGWINCH');
  await delay(COLLECTED_MS);
  for (const { name, metricsUrl } of system.processes) {
    const text = await askOnce(metricsUrl);
    kept.set(name, Number(HEAP.exec(text)?.[1]) + Number(EXTERNAL.exec(text)?.[1]));
  }
  const redis = new Redis(system.facts.redisUrl);
  kept.set('redis', Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]));
  redis.disconnect();
  return kept;
}

/** Uses a new connection: a kept one may be closing at this moment. */
async function askOnce(url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { agent: false }, resolve).once('error', reject);
  return readText(await promise);
}
