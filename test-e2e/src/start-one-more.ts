import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  freePort,
  inheritedEnvironment,
  type ServiceProcess,
  startService,
} from '@forecourt/testing/system';

const LOGS = fileURLToPath(new URL('../../.data/test-logs/', import.meta.url));

/** A service beside a system's own, with settings that depend on its port, and a log of its own. */
export async function startOneMore(
  app: 'devnet' | 'events',
  settings: (port: string) => Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const port = String(await freePort());
  mkdirSync(LOGS, { recursive: true });
  return startService({
    app,
    url: `http://127.0.0.1:${port}`,
    logFile: join(mkdtempSync(join(LOGS, `${app}-`)), `${app}.log`),
    env: { ...inheritedEnvironment(), ...settings(port) },
  });
}
