import { expect } from '@jest/globals';
import { sponsor } from '../support/application.js';
import type { TestSystem } from '../support/test-system.js';
import type { TcpRelay } from './tcp-relay.js';

/**
 * Sponsors transactions of several clients. The relay to the preferred node dies after a third of them; none
 * may fail, no coin may be lost, and the executors log the failure of the node.
 */
export async function sponsorAsNodeDies(
  system: TestSystem,
  relay: TcpRelay,
  { clients, transactions }: { readonly clients: number; readonly transactions: number },
): Promise<void> {
  const answers: unknown[] = [];
  let started = 0;
  const client = async () => {
    while (started++ < transactions) {
      const { answer } = await sponsor(system.application);
      answers.push([answer.status, answer.body.effects?.status ?? answer.body.error]);
      if (answers.length === transactions / 3) relay.die();
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  expect(answers).toEqual(Array(transactions).fill([200, { status: 'success' }]));
  const logs = await Promise.all(system.services('executor').map((service) => service.log()));
  expect(logs.join('')).toContain('Ledger node does not respond');
  expect(await system.differences()).toEqual([]);
}
