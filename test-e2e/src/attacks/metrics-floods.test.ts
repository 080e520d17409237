import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { sponsor } from '../support/application.js';
import { scrape } from '../operations/monitoring/scrape.js';
import { ATTACKER, system } from '../support/systems/listened-system.js';
import { figuresOf, memoryBound, mostUntil } from './process-figures.js';
import { closeAll, requestsFor, sendUnread } from './raw-http.js';

const CONNECTIONS = 6;
/** About 400 kB in all. */
const REQUESTS = 1_700;
const PROBES = 5;

let sockets: Socket[] = [];
afterEach(() => closeAll(sockets));

describe('metrics that are asked for many times ahead and not read', () => {
  it.each(['gateway', 'coin-pool', 'executor', 'events'] as const)(
    'take no memory of the %s, which keeps serving',
    async (app) => {
      const service = system.services(app)[0]!;
      await scrape(service.metricsUrl);
      const quiet = figuresOf(service);
      const flood = requestsFor('/metrics', REQUESTS);
      sockets = await sendUnread(service.metricsUrl, ATTACKER, CONNECTIONS, flood);
      const served = async () => {
        for (let count = 0; count < PROBES; count++) {
          await scrape(service.metricsUrl);
          expect((await sponsor(system.application)).answer.status).toBe(200);
        }
      };
      const most = await mostUntil(service, served());
      expect(most.residentMib).toBeLessThan(memoryBound(quiet));
    },
  );
});
