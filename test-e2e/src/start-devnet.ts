import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inherited, randomPort, type ServiceProcess, startService } from '@forecourt/launcher';

const LOGS = fileURLToPath(new URL('../../.data/test-logs/', import.meta.url));

/** One more ledger, on which nobody owns anything. */
export async function startDevnet(): Promise<ServiceProcess> {
  const port = String(await randomPort());
  mkdirSync(LOGS, { recursive: true });
  const doors = { DEVNET_RPC_PORT: port, DEVNET_FAUCET_PORT: 'off', DEVNET_CONTROL_PORT: 'off' };
  return startService({
    app: 'devnet',
    url: `http://127.0.0.1:${port}`,
    logFile: join(mkdtempSync(join(LOGS, 'devnet-')), 'devnet.log'),
    env: { ...inherited(), ...doors },
  });
}
