import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** What this process is among the processes of the fleet. */
export class ReplicaIdentity {
  /** Names the process; two with the same name never exist, not even one after the other. */
  readonly id = `${hostname()}-${randomUUID().slice(0, 13)}`;
  /** Milliseconds since 1970. */
  readonly startedAt = Date.now();

  constructor(
    /** The app. */
    readonly service: string,
    /** `readVersion`. */
    readonly version: string,
  ) {}
}
