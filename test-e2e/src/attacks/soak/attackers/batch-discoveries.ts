import type { Attacker } from '../attacker.js';

const AT_ONCE = 8;
const discover = (id: number) => ({ jsonrpc: '2.0', id, method: 'rpc.discover' });
const DISCOVERIES = Array.from({ length: 50 }, (_, id) => discover(id));
/** Costs much to parse and little to send. */
const WIDE = { ...discover(1), params: Array.from({ length: 300_000 }, () => []) };
const PAUSE_MS = 50;
/** Of so many messages, one is large. */
const LARGE_EVERY = 10;

/**
 * Asks for the same large document many times in a batch, and sends messages that are made to be hard to
 * parse.
 */
export const batchDiscoveries: Attacker = {
  name: 'batch-discoveries',
  aim: 'keep the processor of the events service busy, without a token',
  async run(_target, client) {
    let turn = 0;
    const send = () =>
      client.repeat(PAUSE_MS, () => {
        const body = turn++ % LARGE_EVERY === 0 ? WIDE : DISCOVERIES;
        return client.post('rpc', '/rpc', body, undefined);
      });
    await Promise.all(Array.from({ length: AT_ONCE }, send));
  },
};
