import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inherited, randomPort, type ServiceProcess, startService } from '@forecourt/launcher';
import { fileURLToPath } from 'node:url';

const LOGS = fileURLToPath(new URL('../../.data/test-logs/', import.meta.url));

/** One more events service, with settings of its own. */
export async function startEvents(env: Record<string, string>): Promise<ServiceProcess> {
  const port = await randomPort();
  mkdirSync(LOGS, { recursive: true });
  return startService({
    app: 'events',
    url: `http://127.0.0.1:${port}`,
    logFile: join(mkdtempSync(join(LOGS, 'events-')), 'events.log'),
    env: { ...inherited(), EVENTS_PORT: String(port), SHUTDOWN_DRAIN_MS: '0', ...env },
  });
}
