import type { Logger } from '@forecourt/runtime/service';
import type { EventsConfig } from '../config/events-config.js';
import type { EventSource, LedgerIdentity } from '../upstreams/event-source.js';
import { EventIndex } from './event-index.js';
import { IndexRetention } from './index-retention.js';
import { IndexQueries } from './index-queries.js';
import { IndexDatabase } from './store/index-database.js';
import { IndexPartitions } from './store/index-partitions.js';
import { IndexRequests } from './index-requests.js';
import { Backfill } from './writing/backfill.js';
import { IndexOpening } from './writing/index-opening.js';
import { IndexProgress } from './writing/index-progress.js';
import { IndexSources } from './writing/index-sources.js';
import { IndexWriter } from './writing/index-writer.js';
import { LedgerFollower } from './writing/ledger-follower.js';

export interface IndexNeeds {
  readonly config: EventsConfig;
  /** The nodes, in order of preference. */
  readonly nodes: readonly EventSource[];
  /** The identity of the ledger that live events come from; null while it is unknown. */
  readonly followed: () => LedgerIdentity | null;
  /** The name of this process. */
  readonly replica: string;
  readonly logger: Logger;
}

/** Injection token of `IndexParts`. */
export const INDEX = Symbol('INDEX');

/** The parts of the index that others use. */
export interface IndexParts {
  readonly index: EventIndex;
  readonly database: IndexDatabase;
  readonly queries: IndexQueries;
  readonly progress: IndexProgress;
  readonly retention: IndexRetention;
  readonly requests: IndexRequests;
}

export function assembleIndex({
  config,
  nodes,
  followed,
  replica,
  logger,
}: IndexNeeds): IndexParts {
  const database = new IndexDatabase(config, replica, ({ message }) =>
    logger.warn({ error: message }, 'A connection to PostgreSQL has broken'),
  );
  const partitions = new IndexPartitions(database);
  const progress = new IndexProgress();
  const sources = new IndexSources(nodes, () => progress.identity);
  const writer = new IndexWriter(database, partitions);
  const opening = new IndexOpening(config.indexFrom, writer, logger);
  const follower = new LedgerFollower(sources, opening, writer, progress, logger);
  const { backfillWorkers } = config;
  const backfill = new Backfill(database, sources, writer, progress, backfillWorkers, logger);
  const retention = new IndexRetention(database, partitions, config.retentionDays);
  return {
    index: new EventIndex(database, follower, backfill, retention, partitions, progress, logger),
    database,
    queries: new IndexQueries(database, followed),
    progress,
    retention,
    requests: new IndexRequests(database, nodes, writer, backfillWorkers),
  };
}
