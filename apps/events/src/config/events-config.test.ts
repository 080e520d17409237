import { describe, expect, it } from '@jest/globals';
import { createSources } from '../upstreams/create-sources.js';
import { StandInServer } from '../upstreams/stand-in-server.test-support.js';
import { readEventsConfig } from './events-config.js';

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

  it('are never shown in an error', () => {
    const read = () => readEventsConfig({ EVENTS_UPSTREAM_HEADERS: 'secret without a colon' });
    expect(read).toThrow(/EVENTS_UPSTREAM_HEADERS must/);
    expect(read).not.toThrow(/secret/);
  });
});
