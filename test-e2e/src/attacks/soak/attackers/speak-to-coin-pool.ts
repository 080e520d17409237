import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { coinPoolPatterns } from '@forecourt/contracts';
import type { Attacker } from '../attacker.js';

const REPLY_MS = 2_000;
const GAS_BUDGET = 500_000_000;
const SECS = 5;

/** Sends one message in the framing of Nest's TCP transport; returns the reply, or an empty text. */
async function sendMessage(
  { host, port }: { readonly host: string; readonly port: number },
  from: string,
  message: unknown,
): Promise<string> {
  const socket = connect({ host, port, localAddress: from });
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  try {
    const text = JSON.stringify(message);
    socket.write(`${text.length}#${text}`);
    await Promise.race([
      once(socket, 'data').catch(() => undefined),
      once(socket, 'close').catch(() => undefined),
      delay(REPLY_MS),
    ]);
    return received;
  } finally {
    socket.destroy();
  }
}

/** Sends reservations for another caller directly to the coin-pool, past the gateway and its rules. */
export const speakToCoinPool: Attacker = {
  name: 'speak-to-coin-pool',
  aim: 'reserve coins as any caller from inside the network',
  async run({ coinPool }, client) {
    let id = 0;
    await client.repeat(400, async () => {
      const data = { caller: 'honest', gasBudget: GAS_BUDGET, durationSecs: SECS };
      const message = { pattern: coinPoolPatterns.reserveGas, data, id: String(id++) };
      const reply = await sendMessage(coinPool, client.from, message);
      const reserved = reply.includes('reservationId');
      client.answers.note(reserved ? 'message obeyed' : 'message refused', reserved ? '' : reply);
    });
  },
};
