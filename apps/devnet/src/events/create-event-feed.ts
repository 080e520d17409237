import { join } from 'node:path';
import type { DevnetConfig } from '../devnet-config.js';
import type { EngineInterface } from '../engine/engine-interface.js';
import { EventFeed } from './event-feed.js';
import { EventStore } from './event-store.js';

/** The events of `engine`, kept as configured. */
export function createEventFeed(
  engine: EngineInterface,
  { dataDir, keptEvents }: DevnetConfig,
): EventFeed {
  const options =
    dataDir === null
      ? { kept: keptEvents }
      : { kept: Number.MAX_SAFE_INTEGER, path: join(dataDir, 'events.sqlite') };
  return new EventFeed(engine, new EventStore(options));
}
