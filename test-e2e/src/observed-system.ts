import { useStarted } from '@forecourt/testing/jest';
import { startTraceCollector } from './monitoring/trace-collector.js';
import { useSystem } from './use-system.js';

/** Receives the spans of the system below. */
export const collector = useStarted(startTraceCollector, (started) => started.stop());

/** A system with every output enabled: all log lines, all traces, and frequent audits. */
export const system = useSystem((files) => ({
  events: 1,
  redis: { dir: files.pathOf('redis') },
  env: {
    LOG_LEVEL: 'debug',
    POOL_AUDIT_MS: '500',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  },
}));
