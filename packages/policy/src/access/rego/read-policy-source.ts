import { Redis } from 'ioredis';

const TIMEOUT_MS = 5_000;
const LARGEST = 16 * 2 ** 20;

/** What a URL answers. Throws `Error`. */
export async function readFromHttp(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answered with status ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length > LARGEST) throw new Error(`${url} is too large`);
  return bytes;
}

/** What a Redis holds under a key. Throws `Error`. */
export async function readFromRedis(url: string, key: string): Promise<Buffer> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: TIMEOUT_MS,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const bytes = await redis.getBuffer(key);
    if (bytes === null) throw new Error(`the key ${key} does not exist in Redis`);
    return bytes;
  } finally {
    redis.disconnect();
  }
}
