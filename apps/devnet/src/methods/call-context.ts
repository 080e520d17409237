import type { EngineInterface } from '../engine/engine-interface.js';
import type { FaultBoard } from '../faults/fault-board.js';
import type { RequestCounters } from '../faults/request-counters.js';
import { chooseView } from '../views/choose-view.js';
import type { LedgerView } from '../views/ledger-view.js';

/** What the methods share. */
export interface NodeParts {
  readonly engine: EngineInterface;
  readonly faults: FaultBoard;
  readonly counters: RequestCounters;
}

/** What one call works on. Reads go through `view`, which may lag behind; writes to the engine. */
export class CallContext {
  private chosen: LedgerView | null = null;

  constructor(
    readonly parts: NodeParts,
    private readonly method: string,
  ) {}

  get engine(): EngineInterface {
    return this.parts.engine;
  }

  get view(): LedgerView {
    this.chosen ??= chooseView(this.parts.engine, this.parts.faults, this.method);
    return this.chosen;
  }
}
