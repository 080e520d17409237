import type { AttackClient } from './attack-client.js';
import type { Target } from './target.js';

/** One way to harm the system, tried again and again. */
export interface Attacker {
  /** Words with dashes; also the name of its token. */
  readonly name: string;
  /** Lines of its entry in the file of tokens; absent: the limits that every caller has. */
  readonly tokenLines?: readonly string[];
  /** Its token may say which sponsor pays. */
  readonly choosesSponsors?: boolean;
  /** What it hopes for, for the report. */
  readonly aim: string;
  /** Attacks until `signal` is aborted; its client counts what it was answered. */
  run(target: Target, client: AttackClient, signal: AbortSignal): Promise<void>;
}
