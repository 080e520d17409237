import type { ServiceProcess } from '@forecourt/testing/system';
import { startOneMore } from './start-one-more.js';

/** Starts another ledger, without any objects of users. */
export function startDevnet(): Promise<ServiceProcess> {
  const closed = { DEVNET_FAUCET_PORT: 'off', DEVNET_CONTROL_PORT: 'off' };
  return startOneMore('devnet', (port) => ({ DEVNET_RPC_PORT: port, ...closed }));
}
