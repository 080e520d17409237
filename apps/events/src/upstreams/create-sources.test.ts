import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Dialect, readEventsConfig } from '../config/events-config.js';
import { createDetectedSource, createSources } from './create-sources.js';
import type { EventSource } from './event-source.js';
import { nodeOptions, type Response, StandInServer } from './stand-in-server.test-support.js';

const PAGE: Response = { result: { data: [], nextCursor: null } };
const UNKNOWN: Response = { error: { code: -32_601, message: 'Method not found' } };

let server: StandInServer;
let detected: Dialect[];
let source: EventSource;
beforeEach(async () => {
  server = await StandInServer.start(() => PAGE);
  detected = [];
  source = detectedSource(false);
});
afterEach(() => server.stop());

function detectedSource(prefersIota: boolean): EventSource {
  const options = { legacyPrefix: 'ledger', prefersIota };
  return createDetectedSource(nodeOptions(server), options, (dialect) => {
    detected.push(dialect);
    return { name: dialect, newest: async () => null } as EventSource;
  });
}

const html = (status: number): Response => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html></html>',
});

describe('the dialect of a node', () => {
  it.each<[string, Response, Dialect]>([
    ['a valid page', PAGE, 'legacy'],
    ['error -32601', UNKNOWN, 'iota'],
  ])('is decided by %s', async (_name, response, dialect) => {
    server.respond = () => response;
    await source.newest();
    await source.newest();
    expect(detected).toEqual([dialect]);
    expect(server.calls).toHaveLength(1);
  });

  it.each<[string, Response]>([
    ['NaN', { status: 200, headers: { 'content-type': 'application/json' }, body: 'NaN' }],
    ['HTML with status 200', html(200)],
    ['HTML with status 502', html(502)],
    ['status 429', { status: 429, headers: { 'retry-after': '0' } }],
    ['error -32009', { error: { code: -32_009, message: 'Too many requests' } }],
    ['error -32602', { error: { code: -32_602, message: 'Invalid params' } }],
    ['error -32603', { error: { code: -32_603, message: 'Internal error' } }],
    ['error -32601 with status 503', { ...html(503), body: JSON.stringify(UNKNOWN) }],
    ['a result that is not a page', { result: 7 }],
    ['a page without a cursor', { result: { data: [] } }],
    ['a list', { status: 200, body: '[]' }],
    ['nothing', { status: 200 }],
  ])('is not decided by %s, and the next use asks again', async (_name, response) => {
    server.respond = () => response;
    await expect(source.newest()).rejects.toMatchObject({ name: 'UpstreamFailed' });
    expect(detected).toEqual([]);
    expect(source.name).toBe(new URL(server.url).host);
    server.respond = () => PAGE;
    await source.newest();
    expect(detected).toEqual(['legacy']);
  });
});

describe('a node that knows the legacy query, if IOTA’s dialect is preferred', () => {
  it.each<[string, Response, Dialect]>([
    ['a chain identifier', { result: '4c78adac' }, 'iota'],
    ['error -32601', UNKNOWN, 'legacy'],
  ])('is asked for its chain identifier: %s decides', async (_name, response, dialect) => {
    server.respond = ({ method }) => (method === 'iota_getChainIdentifier' ? response : PAGE);
    await detectedSource(true).newest();
    expect(detected).toEqual([dialect]);
  });

  it('is asked again after an error that decides nothing', async () => {
    const preferring = detectedSource(true);
    server.respond = ({ method }) =>
      method === 'iota_getChainIdentifier'
        ? { error: { code: -32_603, message: 'Internal' } }
        : PAGE;
    await expect(preferring.newest()).rejects.toMatchObject({ name: 'UpstreamFailed' });
    expect(detected).toEqual([]);
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
    const page = { data: [], nextCursor: null };
    const server = await StandInServer.start(() => ({ result: page }));
    const config = readEventsConfig({ [variable]: server.url, ...headers });
    const [source] = createSources(config, { onFault: () => undefined });
    await source!.newest();
    expect(server.calls[0]!.headers['x-api-key']).toBe(expected);
    await server.stop();
  });
});
