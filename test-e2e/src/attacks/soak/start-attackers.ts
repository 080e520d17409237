import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { AttackOrder, AttackReport } from './attack-process.js';
import type { Attacker } from './attacker.js';
import { type AttackResult, runAttackers } from './run-attackers.js';
import type { Target } from './target.js';

/** An attack under way. */
export interface Attack {
  /** Ends the attack; returns the answers to each attacker. */
  stop(): Promise<readonly AttackResult[]>;
}

const PROGRAM = fileURLToPath(new URL('attack-process.js', import.meta.url));
/** Attackers get less processor time than the service, because real attackers use other machines. */
const NICENESS = 10;

/** Runs the attack in this process. */
export function attackFromHere(target: Target, chosen: readonly Attacker[]): Attack {
  const over = new AbortController();
  const running = runAttackers(target, chosen, over.signal);
  return {
    stop() {
      over.abort();
      return running;
    },
  };
}

/**
 * Runs the attack in a separate process, so that its work does not delay the honest clients of this one.
 * `only`: the attackers to run; empty: all.
 */
export function attackFromProcess(target: Target, only: readonly string[]): Attack {
  const child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  setPriority(child.pid!, NICENESS);
  const order = (message: AttackOrder) => child.send(message);
  const finished = Promise.race([
    once(child, 'message').then(([report]) => (report as AttackReport).results),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the process of the attackers ended with ${code}`);
    }),
  ]);
  finished.catch(() => undefined);
  order({ target, only });
  return {
    stop() {
      if (child.connected) order({ stop: true });
      return finished;
    },
  };
}
