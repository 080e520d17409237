import { Redis } from 'ioredis';
import type { HttpTarget } from './split-credentials.js';

const TIMEOUT_MS = 5_000;
const LARGEST = 16 * 2 ** 20;

/** The body at a URL. Throws `Error` when it cannot be read or is too large. */
export async function readFromHttp({ url, headers }: HttpTarget): Promise<Buffer> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const place = `${url.origin}${url.pathname}`;
  if (!response.ok) throw new Error(`${place} answered with status ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length > LARGEST) throw new Error(`${place} is larger than ${LARGEST} bytes`);
  return bytes;
}

/** The value of a Redis key. Throws `Error` when it cannot be read or does not exist. */
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
