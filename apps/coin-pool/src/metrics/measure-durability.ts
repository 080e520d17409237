import { type Metrics, cacheRead } from '@forecourt/runtime/metrics';
import { inspectRedis } from '@forecourt/runtime/service';
import type { RedisConnection } from '@forecourt/runtime/redis';

const FRESH_MS = 15_000;

/** Exports whether Redis is configured to lose no write in a crash. No value where Redis does not disclose it. */
export function measureDurability(metrics: Metrics, redis: RedisConnection): void {
  const inspect = cacheRead(() => inspectRedis(redis), FRESH_MS);
  metrics.figures<{ setting: string }>({
    name: 'redis_durable',
    labels: ['setting'],
    help: 'Whether a setting of Redis has the value that loses no data (1) or not (0): appendonly yes, appendfsync always, maxmemory-policy noeviction.',
    async read() {
      const { appendOnly, appendFsync, maxMemoryPolicy } = await inspect();
      if (appendOnly === null) return [];
      return [
        [{ setting: 'appendonly' }, Number(appendOnly)],
        [{ setting: 'appendfsync' }, Number(appendFsync === 'always')],
        [{ setting: 'maxmemory-policy' }, Number(maxMemoryPolicy === 'noeviction')],
      ];
    },
  });
}
