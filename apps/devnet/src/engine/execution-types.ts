import type { EffectsRecord } from './engine-interface.js';
import type { StoredObject } from './stored-object.js';
import type { Program } from './transaction-data.js';
import type { ExecutionSession } from './execution-session.js';
import type { ResolvedInputs } from './check-inputs.js';

export interface ExecutionRequest {
  readonly digest: string;
  readonly sender: string;
  readonly price: bigint;
  readonly budget: bigint;
  readonly epoch: bigint;
  readonly timestampMs: number;
  readonly program: Program;
  /** Number of abstract accounts whose authenticators ran before; the program pays for them. */
  readonly authenticators: bigint;
  readonly inputs: ResolvedInputs;
}

export interface ExecutionOutcome {
  readonly effects: EffectsRecord;
  readonly events: ExecutionSession['events'];
  /** Each object before and after: null before when it was created, null after when it was deleted. */
  readonly changes: readonly ObjectWrite[];
  readonly supply: ReadonlyMap<string, bigint>;
}

export interface ObjectWrite {
  readonly before: StoredObject | null;
  readonly after: StoredObject | null;
}
