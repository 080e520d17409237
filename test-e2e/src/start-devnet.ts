import type { ServiceProcess } from '@forecourt/testing/system';
import { startOneMore } from './start-one-more.js';

/** One more ledger, on which nobody owns anything. */
export function startDevnet(): Promise<ServiceProcess> {
  const closed = { DEVNET_FAUCET_PORT: 'off', DEVNET_CONTROL_PORT: 'off' };
  return startOneMore('devnet', (port) => ({ DEVNET_RPC_PORT: port, ...closed }));
}
