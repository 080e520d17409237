import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { waitUntil } from '@forecourt/testing/redis';
import { setClock } from '../history.test-support.js';
import { TestWebhooks } from './test-webhooks.test-support.js';

const test = new TestWebhooks();
const now = Date.now;

/** Sets the clock of this process, whatever that of the database shows. */
function differBy(ms: number): void {
  jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);
}
afterEach(() => void jest.restoreAllMocks());

describe('replicas whose clocks differ by minutes', () => {
  it('serve a receiver that has recovered as soon as its rest is over, and end deliveries in time', async () => {
    const began = now();
    const webhooks = await test.start();
    // However long this test takes, the first pause is not over before it says so.
    await setClock(test.tables, began);
    test.receiver.answerWith((response) => response.writeHead(500).end());
    differBy(120_000);
    await test.add(webhooks, 'a');
    await waitUntil(async () => (await test.list(webhooks))[0]?.attempts.length === 1);
    const [failed] = await test.list(webhooks);
    // The attempt began before its end was written, whose time is the database's.
    expect(failed!.attempts[0]!.at).toBeGreaterThan(began - 60_000);
    expect(failed!.attempts[0]!.at).toBeLessThanOrEqual(began);

    differBy(-120_000);
    test.receiver.answerWith((response) => response.end('back'));
    // The pause after a first failure is shorter.
    await setClock(test.tables, began + 10_000);
    await waitUntil(async () => (await test.list(webhooks))[0]?.status === 'delivered');

    await test.add(webhooks, 'b');
    await waitUntil(async () => (await test.list(webhooks, { status: 'delivered' })).length === 2);
  });
});
