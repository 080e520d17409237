import type { DevnetConfig } from '../devnet-config.js';
import type { EngineInterface } from '../engine/engine-interface.js';
import { EventFeed } from './event-feed.js';
import { EventStore } from './event-store.js';

/** The events of `engine`, kept as configured. */
export function createEventFeed(engine: EngineInterface, config: DevnetConfig): EventFeed {
  return new EventFeed(engine, new EventStore({ kept: config.keptEvents }));
}
