import type { CallContext as Transport } from '@forecourt/json-rpc';
import type { EngineInterface } from '../engine/engine-interface.js';
import type { FullNode } from '../engine/full-node.js';
import type { NodeProfile } from '../node/node-profile.js';
import { chooseView, type LedgerView } from '../views/lagging-view.js';
import type { EventFeed } from '../events/event-feed.js';
import type { LegacySubscriptions } from '../events/legacy-subscriptions.js';
import type { IotaSubscriptions } from '../events/iota-subscriptions.js';
import type { FaultBoard } from '../faults/fault-board.js';
import type { RequestCounters } from '../faults/request-counters.js';
import type { NodeProfiles } from '../node/node-profiles.js';
import type { NodeOrder } from '../views/node-order.js';

/**
 * One call. Reads use `view`, or `fullNode` where no fault applies, and both may lag behind; writes use the
 * engine.
 */
export class CallContext {
  #chosen: LedgerView | null = null;

  constructor(
    readonly node: NodeDependencies,
    readonly method: string,
    private readonly transport: Transport,
  ) {}

  /** The caller's WebSocket; undefined over HTTP. */
  get connection() {
    return this.transport.connection;
  }

  /** Runs `next` after the response has been sent. */
  afterReply(next: () => void): void {
    this.transport.afterReply(next);
  }

  get engine(): EngineInterface {
    return this.node.engine;
  }

  get fullNode(): FullNode {
    return this.node.fullNode;
  }

  get profile(): NodeProfile {
    return this.node.profiles.current;
  }

  get view(): LedgerView {
    this.#chosen ??= chooseView(this.fullNode, this.node.faults, this.method);
    return this.#chosen;
  }
}

/** The dependencies of the methods. */
export interface NodeDependencies {
  readonly engine: EngineInterface;
  readonly fullNode: FullNode;
  readonly faults: FaultBoard;
  readonly counters: RequestCounters;
  readonly events: EventFeed;
  readonly legacySubscriptions: LegacySubscriptions;
  readonly iotaSubscriptions: IotaSubscriptions;
  readonly nodeOrder: NodeOrder;
  readonly profiles: NodeProfiles;
}
