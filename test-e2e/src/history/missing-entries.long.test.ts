import { historyStreamKey } from '@forecourt/coin-store';
import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { sponsor } from '../support/application.js';
import { useSystem } from '../support/use-system.js';
import { type ListedPage, read } from './history-callers.js';

const system = useSystem(() => ({ history: 2 }));

type Page = ListedPage & { readonly missing: number };
const page = () => read<Page>(system.application, '/v1/sponsorships?status=executed');

/** The sum that the alert goes by, at each replica of history. */
async function exported(): Promise<(string | undefined)[]> {
  const texts = system.services('history').map(async ({ options }) => {
    const metrics = await fetch(options.metricsUrl!);
    return /^forecourt_history_missing_total\{.*\} (\d+)$/m.exec(await metrics.text())?.[1];
  });
  return Promise.all(texts);
}

describe('entries of history that are deleted from Redis', () => {
  it('are counted, shown to operators and exported for the alert', async () => {
    await sponsor(system.application);
    await system.until(async () => (await page()).data.length === 1);
    const redis = new Redis(system.redisUrl);
    const stream = historyStreamKey(system.sponsor);
    // Shown a moment before its entry is removed.
    await system.until(async () => (await redis.xlen(stream)) === 0);
    for (const history of system.services('history')) await history.stop();
    for (let n = 0; n < 5; n++) await sponsor(system.application);
    const trimmed = redis.xtrim(stream, 'MAXLEN', 1);
    expect(await trimmed.finally(() => redis.disconnect())).toBe(4);
    await Promise.all(system.services('history').map((history) => history.start()));
    await system.until(async () => (await page()).missing > 0);
    await system.until(async () => (await page()).data.length === 2);
    expect((await page()).missing).toBe(4);
    expect(await exported()).toEqual(['4', '4']);
  });
});
