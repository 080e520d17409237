import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { sponsor } from '../support/application.js';
import { ATTACKER, compatibilityUrl, system } from '../support/systems/listened-system.js';
import { figuresOf, memoryBound, mostUntil } from './process-figures.js';
import { closeAll, requestsFor, sendUnread } from './raw-http.js';

const CONNECTIONS = 6;
/** About 400 kB in all. */
const REQUESTS = 1_500;
const FILES = 60;

let sockets: Socket[] = [];
afterEach(() => closeAll(sockets));

const gateway = () => system.services('gateway')[0]!;

describe('documents that are asked for many times ahead and not read', () => {
  it.each([
    ['/openapi.json', 'the public port', () => system.application.url],
    ['/docs/swagger-ui-bundle.js', 'the public port', () => system.application.url],
    ['/docs/swagger-ui-init.js', 'the public port', () => system.application.url],
    ['/openapi.json', 'the compatibility port', compatibilityUrl],
  ])('take neither memory nor files of a gateway: %s at %s', async (path, _port, url) => {
    expect((await sponsor(system.application)).answer.status).toBe(200);
    const quiet = figuresOf(gateway());
    sockets = await sendUnread(url(), ATTACKER, CONNECTIONS, requestsFor(path, REQUESTS));
    const served = async () => {
      for (let count = 0; count < 5; count++) {
        expect((await sponsor(system.application)).answer.status).toBe(200);
      }
    };
    const most = await mostUntil(gateway(), served());
    expect(most.residentMib).toBeLessThan(memoryBound(quiet));
    expect(most.openFiles).toBeLessThan(quiet.openFiles + FILES);
  });

  it('are the same bytes for every client, which may keep them', async () => {
    const url = `${system.application.url}/openapi.json`;
    const first = await fetch(url);
    const etag = first.headers.get('etag')!;
    expect(await (await fetch(url)).text()).toBe(await first.text());
    const again = await fetch(url, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});
