import type { ReserveGasResponse } from '@forecourt/contracts';
import type { Signer } from '@forecourt/ledger';
import type { HttpConnection } from './http-connection.js';
import type { TransactionTemplate } from './transaction-template.js';

export const GAS_BUDGET = 10_000_000;
const RESERVE = JSON.stringify({ gas_budget: GAS_BUDGET, reserve_duration_secs: 60 });

/**
 * Reserves, signs and executes. Resolves with the duration of the execution in ms; throws when the
 * transaction did not succeed.
 */
export async function executeSponsored(
  connection: HttpConnection,
  user: Signer,
  template: TransactionTemplate,
): Promise<number> {
  const reserved = await connection.post('/v1/reserve_gas', RESERVE);
  if (reserved.status !== 200) {
    throw new Error(`reserve answered ${reserved.status} ${reserved.text}`);
  }
  const { result } = JSON.parse(reserved.text) as ReserveGasResponse;
  const bytes = template.fill(result.gas_coins[0]!);
  const body = JSON.stringify({
    reservation_id: result.reservation_id,
    tx_bytes: bytes.toString('base64'),
    user_sig: await user.signTransaction(bytes),
  });
  const before = performance.now();
  const { status, text } = await connection.post('/v1/execute_tx', body);
  const ms = performance.now() - before;
  if (status !== 200 || !text.includes('"status":{"status":"success"}')) {
    throw new Error(`execute answered ${status} ${text.slice(0, 300)}`);
  }
  return ms;
}
