import { randomBytes } from 'node:crypto';
import type { Attacker } from '../attacker.js';

/** Calls every route that needs a token, with tokens that do not exist. */
export const guessTokens: Attacker = {
  name: 'guess-tokens',
  aim: 'get access without a token, or slow down callers that have one',
  async run(_target, client) {
    await client.repeat(100, async () => {
      const token = randomBytes(24).toString('base64url');
      const reserve = { gas_budget: 1_000, reserve_duration_secs: 1 };
      await client.post('reserve', '/v1/reserve_gas', reserve, token);
      const execute = { reservation_id: 1, tx_bytes: 'AA==', user_sig: 'AA==' };
      await client.post('execute', '/v1/execute_tx', execute, token);
      await client.post('health check', '/debug_health_check', {}, token);
    });
  },
};
