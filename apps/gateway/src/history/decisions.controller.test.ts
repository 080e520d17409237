import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReadTraffic } from '@forecourt/contracts';
import { DecisionsController } from './decisions.controller.js';
import { type HistoryApp, startHistoryApp } from './history-app.test-support.js';
import { Records } from './records.test-support.js';

const DAY_MS = 86_400_000;
const records = new Records();
const requests: ReadTraffic[] = [];
let app: HistoryApp;
beforeAll(async () => {
  Object.assign(records.history, {
    readTraffic: (message: ReadTraffic) => {
      requests.push(message);
      return Promise.resolve({ data: [], next: message.after === undefined ? '12-7' : null });
    },
    countUntried: () => Promise.resolve({ first: null, sponsorships: 0, refusals: 0 }),
  });
  app = await startHistoryApp(records, {}, { controllers: [DecisionsController], providers: [] });
});
afterAll(() => app.close());

describe('recorded decisions', () => {
  it('are shown to operators and auditors alone', async () => {
    for (const route of ['decisions', 'decisions/missing']) {
      const path = `/v1/access/${route}?from=0&to=1`;
      const statuses = (['shop', 'alice', 'operator', 'auditor'] as const).map(
        async (name) => (await app.get(path, name)).status,
      );
      expect(await Promise.all(statuses)).toEqual([403, 403, 200, 200]);
    }
  });

  it('come in pages whose cursor fits its query alone', async () => {
    const path = '/v1/access/decisions?from=5&to=9&limit=2';
    const { body } = await app.get(`${path}&token=shop`, 'auditor');
    const { next_cursor: cursor } = body.result as unknown as { next_cursor: string };
    const next = await app.get(`${path}&token=shop&cursor=${cursor}`, 'auditor');
    expect(next.body.result).toMatchObject({
      next_cursor: null,
      settings: { allow_abstract_accounts: false },
    });
    expect(requests.at(-1)).toMatchObject({
      from: 5,
      to: 9,
      token: 'shop',
      limit: 2,
      after: '12-7',
    });
    expect((await app.get(`${path}&cursor=${cursor}`, 'auditor')).status).toBe(400);
  });

  it.each([
    ['decisions', ''],
    ['decisions', 'from=1'],
    ['decisions', 'from=2&to=1'],
    ['decisions', 'from=0&to=1&limit=1001'],
    ['decisions/missing', `from=0&to=${DAY_MS + 1}`],
  ])('of %s are refused for the query %j, with the reason', async (route, query) => {
    const { status, body } = await app.get(`/v1/access/${route}?${query}`, 'operator');
    expect([status, body.error]).toEqual([400, expect.stringMatching(/from|to|limit/)]);
  });
});
