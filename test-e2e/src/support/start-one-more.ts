import { join } from 'node:path';
import {
  freePort,
  inheritedEnvironment,
  type ServiceProcess,
  startService,
} from '@forecourt/testing/system';
import { makeLogFolder } from './make-log-folder.js';

/**
 * Starts a service in addition to a system's services, with settings that depend on its port, and a separate
 * log.
 */
export async function startOneMore(
  app: 'devnet' | 'events',
  settings: (port: string) => Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const port = String(await freePort());
  return startService({
    app,
    url: `http://127.0.0.1:${port}`,
    logFile: join(makeLogFolder(app), `${app}.log`),
    env: { ...inheritedEnvironment(), ...settings(port) },
  });
}
