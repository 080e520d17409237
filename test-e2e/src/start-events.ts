import type { ServiceProcess } from '@forecourt/testing/system';
import { startOneMore } from './start-one-more.js';

/** One more events service, with settings of its own. */
export function startEvents(env: Record<string, string>): Promise<ServiceProcess> {
  return startOneMore('events', (port) => ({ EVENTS_PORT: port, SHUTDOWN_DRAIN_MS: '0', ...env }));
}
