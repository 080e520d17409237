import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FIRST_EVENT_ID } from '@forecourt/contracts';
import { type Dialect, readEventsConfig } from '../config/events-config.js';
import { createDetectedSource, createSources } from './create-sources.js';
import type { EventSource } from './event-source.js';
import {
  nodeOptions,
  type ReceivedCall,
  type Response,
  StandInServer,
} from './stand-in-server.test-support.js';
import { NodeRefused } from './node-refused.js';

const PAGE: Response = { result: { data: [], nextCursor: null } };
const IDENTIFIER: Response = { result: '4c78adac' };
const UNKNOWN: Response = { error: { code: -32_601, message: 'Method not found' } };
const IOTA_METHOD = 'iota_getChainIdentifier';
/** A node that knows these methods alone. */
const knows =
  (answers: Readonly<Record<string, Response>>) =>
  ({ method }: ReceivedCall): Response =>
    answers[method] ?? UNKNOWN;
const LEGACY = knows({ ledger_getEvents: PAGE });
const IOTA = knows({ [IOTA_METHOD]: IDENTIFIER });
const BOTH = knows({ ledger_getEvents: PAGE, [IOTA_METHOD]: IDENTIFIER });

let server: StandInServer;
let created: Dialect[];
let source: EventSource;
beforeEach(async () => {
  server = await StandInServer.start(IOTA);
  created = [];
  source = createDetectedSource(nodeOptions(server), 'ledger', (dialect) => {
    created.push(dialect);
    return { ...standIn, name: dialect };
  });
});
afterEach(() => server.stop());

/** A source whose queries know the method of `queried`, and whose stream is connected and ends. */
let queried: 'known' | 'unknown' = 'known';
const standIn = {
  newest: async () => {
    if (queried === 'unknown') throw new NodeRefused(-32_601, 'Method not found');
    return null;
  },
  async *follow() {
    yield [];
  },
} as unknown as EventSource;

async function follow(): Promise<void> {
  const batches = source.follow(FIRST_EVENT_ID, new AbortController().signal);
  for await (const batch of batches) expect(batch).toEqual([]);
}

const html = (status: number): Response => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html></html>',
});

/** Answers that decide nothing. */
const UNDECIDED: [string, Response][] = [
  ['NaN', { status: 200, headers: { 'content-type': 'application/json' }, body: 'NaN' }],
  ['HTML with status 200', html(200)],
  ['HTML with status 502', html(502)],
  ['status 429', { status: 429, headers: { 'retry-after': '0' } }],
  ['error -32009', { error: { code: -32_009, message: 'Too many requests' } }],
  ['error -32602', { error: { code: -32_602, message: 'Invalid params' } }],
  ['error -32603', { error: { code: -32_603, message: 'Internal error' } }],
  ['error -32601 with status 503', { ...html(503), body: JSON.stringify(UNKNOWN) }],
  ['a result of another kind', { result: 7 }],
  ['a page without a cursor', { result: { data: [] } }],
  ['a list', { status: 200, body: '[]' }],
  ['nothing', { status: 200 }],
];

describe('the dialect of a node', () => {
  it.each<[string, (call: ReceivedCall) => Response, Dialect, number]>([
    ['IOTA’s at a node that knows IOTA’s methods', IOTA, 'iota', 1],
    ['IOTA’s at a node that knows both', BOTH, 'iota', 1],
    ['the legacy one at a node that knows its methods alone', LEGACY, 'legacy', 2],
  ])('is %s, and is asked for once', async (_name, respond, dialect, calls) => {
    server.respond = respond;
    await source.newest();
    await source.newest();
    expect(created).toEqual([dialect]);
    expect(server.calls).toHaveLength(calls);
  });

  it.each([
    ...UNDECIDED.map(
      ([name, answer]) => ['IOTA’s', name, knows({ [IOTA_METHOD]: answer })] as const,
    ),
    ...UNDECIDED.map(
      ([name, answer]) => ['the legacy', name, knows({ ledger_getEvents: answer })] as const,
    ),
  ])(
    'is not decided at %s method by %s, and the next use asks again',
    async (_method, _name, respond) => {
      server.respond = respond;
      await expect(source.newest()).rejects.toMatchObject({ name: 'UpstreamFailed' });
      expect(created).toEqual([]);
      expect(source.name).toBe(new URL(server.url).host);
      server.respond = LEGACY;
      await source.newest();
      expect(created).toEqual(['legacy']);
    },
  );

  it('is unknown at a server that knows neither, whose error names both methods', async () => {
    server.respond = knows({});
    await expect(source.newest()).rejects.toThrow(
      /knows neither iota_getChainIdentifier nor ledger_getEvents/,
    );
    expect(created).toEqual([]);
  });

  it('is detected again when the node does not know a method', async () => {
    server.respond = LEGACY;
    await source.newest();
    server.respond = IOTA;
    queried = 'unknown';
    await expect(source.newest()).rejects.toMatchObject({ code: -32_601 });
    queried = 'known';
    await source.newest();
    expect(created).toEqual(['legacy', 'iota']);
    expect(source.name).toBe('iota');
  });

  it('is detected again whenever the node is followed, and a source that still fits is kept', async () => {
    server.respond = LEGACY;
    await follow();
    server.respond = BOTH;
    await follow();
    await follow();
    await source.newest();
    expect(created).toEqual(['legacy', 'iota']);
    expect(server.callsOf(IOTA_METHOD)).toHaveLength(3);
  });
});

const HEADERS = {
  LEDGER_HEADERS: '{"x-api-key":"of-the-ledger"}',
  EVENTS_UPSTREAM_HEADERS: 'X-Api-Key: of-the-upstreams',
};

describe('the headers of calls to ledger nodes', () => {
  it.each([
    ['the nodes of EVENTS_UPSTREAMS', 'EVENTS_UPSTREAMS', HEADERS, 'of-the-upstreams'],
    ['LEDGER_URL without EVENTS_UPSTREAMS', 'LEDGER_URL', HEADERS, 'of-the-ledger'],
    [
      'nodes of EVENTS_UPSTREAMS without headers',
      'EVENTS_UPSTREAMS',
      { LEDGER_HEADERS: HEADERS.LEDGER_HEADERS },
      undefined,
    ],
  ])('belong to %s', async (_name, variable, headers, expected) => {
    const server = await StandInServer.start(LEGACY);
    const config = readEventsConfig({ [variable]: server.url, ...headers });
    const [source] = createSources(config, { onFault: () => undefined });
    await source!.newest();
    expect(server.calls[0]!.headers['x-api-key']).toBe(expected);
    await server.stop();
  });
});
