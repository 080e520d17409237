import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TrafficRecord } from '@forecourt/contracts';
import { readAccessRules } from '@forecourt/policy/access';
import { readAccessFiles } from '@forecourt/policy/tokens';
import { afterEach, describe, expect, it } from '@jest/globals';
import { replayAccess } from './replay-access.js';

const DAY_MS = 86_400_000;
const FROM = Date.UTC(2026, 0, 1);
const TO = FROM + 3 * DAY_MS;
const RULES = 'access-controller:\n  access-policy: ';

/** A reservation that was refused. */
const refused = (time: number): TrafficRecord => ({
  at: time,
  refusal: 'FORBIDDEN',
  token: 'shop',
  user: null,
  sponsor: null,
  digest: null,
  reservation_id: null,
  rule: null,
  facts: '1000 60 - 0 0',
  transaction: null,
  ended_at: null,
  executed: false,
  counted: '0',
  gas: '0',
});

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** A gas station that answers in turn, by route; the last answer of a route is repeated. */
async function serve(answers: Readonly<Record<string, readonly (readonly [number, object])[]>>) {
  const calls: URL[] = [];
  server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://station');
    const before = calls.filter(({ pathname }) => pathname === url.pathname).length;
    calls.push(url);
    const [status, body] = answers[url.pathname]!.at(before) ?? answers[url.pathname]!.at(-1)!;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { calls, connection: { url: `http://127.0.0.1:${port}`, token: 'ops' } };
}

const settings = { allow_abstract_accounts: false, max_gas_price_ratio: 2 };
const page = (data: readonly TrafficRecord[], next_cursor: string | null) =>
  [200, { result: { data, next_cursor, settings } }] as const;
const MISSING = '/v1/access/decisions/missing';
const missing = (first: number) =>
  [200, { result: { first, sponsorships: 1, refusals: 2 } }] as const;
const dropped = [
  { code: 'FORBIDDEN', token: 'shop', requests: 5 },
  { code: 'NO_COINS', token: 'shop', requests: 7 },
];

const request = async () => ({
  files: await readAccessFiles(null, null),
  proposed: await readAccessRules(`${RULES}deny-all\n`, '/rules.yaml'),
  from: FROM,
  to: TO,
  token: 'shop',
});

describe('a replay on the operator’s machine', () => {
  it('reads every page, waits where it is too fast, and counts what is missing by day', async () => {
    const { calls, connection } = await serve({
      '/v1/access/decisions': [
        page([refused(FROM), refused(FROM + 1)], 'second'),
        [429, { error: 'Too many requests' }],
        page([refused(FROM + 2)], null),
      ],
      [MISSING]: [missing(FROM + DAY_MS)],
      '/v1/refusals': [[200, { result: { data: [], next_cursor: null, dropped } }]],
    });
    const progress: number[] = [];
    const report = await replayAccess(connection, await request(), (records) =>
      progress.push(records),
    );
    expect(progress).toEqual([2, 3]);
    expect(report).toMatchObject({
      decided: 3,
      not_replayable: { sponsorships: 2, refusals: 4, only_counted: 5 },
    });
    const cursors = calls.flatMap(({ searchParams }) => searchParams.get('cursor') ?? []);
    expect(cursors).toEqual(['second', 'second']);
    expect(calls.every(({ searchParams }) => searchParams.get('token') === 'shop')).toBe(true);
    const days = calls.filter(({ pathname }) => pathname === MISSING);
    const lengths = days.map(
      ({ searchParams: of }) => Number(of.get('to')) - Number(of.get('from')),
    );
    expect(lengths).toEqual([DAY_MS, DAY_MS]);
  });

  it('ends with the words of the gas station where it is refused', async () => {
    const { connection } = await serve({
      '/v1/access/decisions': [[403, { error: 'Token lacks the role operator' }]],
    });
    const replaying = replayAccess(connection, await request(), () => undefined);
    await expect(replaying).rejects.toThrow('Token lacks the role operator');
  });
});
