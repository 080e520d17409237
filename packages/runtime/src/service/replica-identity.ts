import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** The identity of this process among the processes of the fleet. */
export class ReplicaIdentity {
  /** Unique name of the process, never reused by a later one. */
  readonly id = `${hostname()}-${randomUUID().slice(0, 13)}`;
  /** Milliseconds since 1970. */
  readonly startedAt = Date.now();

  constructor(
    /** Name of the app. */
    readonly service: string,
    /** Result of `readVersion`. */
    readonly version: string,
  ) {}
}
