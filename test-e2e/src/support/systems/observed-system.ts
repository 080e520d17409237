import { useSharedSystem } from '../use-system.js';

/** A system with all log lines, frequent audits, a history and an index of events. */
export const system = useSharedSystem('observed', (files) => ({
  events: 1,
  history: true,
  eventIndex: true,
  redis: { dir: files.pathOf('redis') },
  env: {
    LOG_LEVEL: 'debug',
    POOL_AUDIT_MS: '500',
  },
}));
