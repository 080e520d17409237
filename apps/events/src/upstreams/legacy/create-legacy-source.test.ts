import { describe, expect, it } from '@jest/globals';
import { nodeOptions, StandInServer } from '../stand-in-server.test-support.js';
import { createLegacySource } from './create-legacy-source.js';

describe('createLegacySource', () => {
  it.each([null, 7, {}, { data: [] }, { data: null, nextCursor: null }])(
    'fails, so that another node is asked, when a query returns %j instead of a page',
    async (result) => {
      const server = await StandInServer.start(() => ({ result }));
      const source = createLegacySource({ ...nodeOptions(server), methodPrefix: 'ledger' });
      await expect(source.newest()).rejects.toMatchObject({
        name: 'UpstreamFailed',
        message: 'ledger_getEvents: the result is not a page of events',
      });
      await server.stop();
    },
  );
});
