import { getHeapStatistics } from 'node:v8';
import { ConnectionPlaces, countPlaces, ProcessorShares } from '@forecourt/admission';
import { FairShares } from '@forecourt/resilience';
import { DirectReplies } from './direct-replies.js';
import { createLogger } from './logger.js';
import { ServiceState } from './service-state.js';

/**
 * Memory for the bodies of requests, as a part of the heap limit, and the part of it that one client may use.
 */
const BODY_MEMORY = 1 / 8;
const BODY_SHARE = 1 / 8;

/** All services of a process share its end, its replies, and the bounds on what clients make it hold. */
export class HostProcess {
  readonly state = new ServiceState();
  readonly replies = new DirectReplies();
  /** Connections of all listeners. */
  readonly places = new ConnectionPlaces(countPlaces());
  /** Memory for the bodies of requests. */
  readonly bodies = new FairShares({
    total: getHeapStatistics().heap_size_limit * BODY_MEMORY,
    share: BODY_SHARE,
  });
  /** Processor time of clients. */
  readonly processor = new ProcessorShares();
  /** For Nest, which has one logger for all applications of a process. */
  readonly logger: ReturnType<typeof createLogger>;

  /** `name`: the service, or that of several services together. */
  constructor(name: string, logLevel: string) {
    this.logger = createLogger(name, logLevel);
  }
}
