import type { AttackClient } from './attack-client.js';
import type { Target } from './target.js';

/** One way to harm the system, attempted repeatedly. */
export interface Attacker {
  /** Words with dashes; also the name of the attacker's token. */
  readonly name: string;
  /** Lines of its entry in the file of tokens; absent: the limits of every caller. */
  readonly tokenLines?: readonly string[];
  /** Its token may choose the sponsor. */
  readonly choosesSponsors?: boolean;
  /** The aim of the attack, for the report. */
  readonly aim: string;
  /** Attacks until `signal` is aborted; the client counts the answers. */
  run(target: Target, client: AttackClient, signal: AbortSignal): Promise<void>;
}
