import type { ServiceProcess } from '@forecourt/testing/system';
import { startOneMore } from './start-one-more.js';

/** Starts another events service with its own settings. */
export function startEvents(env: Record<string, string>): Promise<ServiceProcess> {
  return startOneMore('events', (port) => ({ EVENTS_PORT: port, SHUTDOWN_DRAIN_MS: '0', ...env }));
}
