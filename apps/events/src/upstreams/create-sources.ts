import type { EventsConfig } from '../events-config.js';
import { createDetectedSource } from './create-detected-source.js';
import type { EventSource } from './event-source.js';
import { createIotaSource } from './iota/create-iota-source.js';
import { createLegacySource } from './legacy/create-legacy-source.js';
import type { Dialect } from './parse-upstreams.js';

/** The configured nodes, in order of preference. */
export function createSources(config: EventsConfig): readonly EventSource[] {
  const create = (dialect: Dialect, url: string) => {
    const node = { url, timeoutMs: config.ledgerTimeoutMs };
    return dialect === 'iota'
      ? createIotaSource(node)
      : createLegacySource({ ...node, methodPrefix: config.legacyPrefix });
  };
  const addresses =
    config.upstreams.length > 0 ? config.upstreams : [{ dialect: null, url: config.ledgerUrl }];
  return addresses.map(({ dialect, url }) =>
    dialect === null ? createDetectedSource(url, config, create) : create(dialect, url),
  );
}
