import type { EngineInterface } from '../engine/engine-interface.js';
import type { CallContext as Transport } from '@forecourt/json-rpc';
import type { EventFeed } from '../events/event-feed.js';
import type { IotaSubscriptions } from '../events/iota-subscriptions.js';
import type { LegacySubscriptions } from '../events/legacy-subscriptions.js';
import type { FaultBoard } from '../faults/fault-board.js';
import type { RequestCounters } from '../faults/request-counters.js';
import { chooseView } from '../views/choose-view.js';
import type { LedgerView } from '../views/ledger-view.js';

/** What the methods share. */
export interface NodeParts {
  readonly engine: EngineInterface;
  readonly faults: FaultBoard;
  readonly counters: RequestCounters;
  readonly events: EventFeed;
  readonly legacySubscriptions: LegacySubscriptions;
  readonly iotaSubscriptions: IotaSubscriptions;
}

/** What one call works on. Reads go through `view`, which may lag behind; writes to the engine. */
export class CallContext {
  private chosen: LedgerView | null = null;

  constructor(
    readonly parts: NodeParts,
    private readonly method: string,
    private readonly transport: Transport,
  ) {}

  /** The caller's WebSocket; undefined over HTTP. */
  get connection() {
    return this.transport.connection;
  }

  /** Runs `next` once the reply has been sent. */
  afterReply(next: () => void): void {
    this.transport.afterReply(next);
  }

  get engine(): EngineInterface {
    return this.parts.engine;
  }

  get view(): LedgerView {
    this.chosen ??= chooseView(this.parts.engine, this.parts.faults, this.method);
    return this.chosen;
  }
}
