import { HttpConnection } from './http-connection.js';
import type { GatewayAccess } from './load-task.js';
import type { User } from './drive-users.js';

const DURATION_SECS = 1;

/** A user that reserves gas and lets the reservation expire. */
export async function reserveOnly(gateway: GatewayAccess, gasBudget: number): Promise<User> {
  const connection = await HttpConnection.open(gateway.url, gateway.token);
  const body = JSON.stringify({ gas_budget: gasBudget, reserve_duration_secs: DURATION_SECS });
  return {
    async act() {
      const before = performance.now();
      const { status, text } = await connection.post('/v1/reserve_gas', body);
      if (status !== 200) throw new Error(`reserve answered ${status} ${text}`);
      return performance.now() - before;
    },
    leave: () => connection.close(),
  };
}
