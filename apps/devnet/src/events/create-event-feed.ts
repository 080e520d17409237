import { join } from 'node:path';
import type { DevnetConfig } from '../devnet-config.js';
import type { FullNode } from '../engine/full-node.js';
import { EventFeed } from './event-feed.js';
import { EventStore } from './event-store.js';

/** The events that the node shows, kept as configured. */
export function createEventFeed(
  fullNode: FullNode,
  { dataDir, keptEvents }: DevnetConfig,
): EventFeed {
  const options =
    dataDir === null
      ? { kept: keptEvents }
      : { kept: Number.MAX_SAFE_INTEGER, path: join(dataDir, 'events.sqlite') };
  return new EventFeed(fullNode, new EventStore(options));
}
