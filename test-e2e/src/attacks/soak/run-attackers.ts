import { AttackClient } from './attack-client.js';
import type { CountedAnswers } from './answers.js';
import type { Attacker } from './attacker.js';
import type { Target } from './target.js';

/** Each attacker has a separate address, from 127.0.0.50. */
const FIRST_HOST = 50;

export interface AttackResult {
  readonly attacker: string;
  readonly aim: string;
  readonly answers: CountedAnswers;
}

/**
 * Runs all attackers at once until `signal` is aborted. An error ends only the attacker that throws it, and
 * is counted.
 */
export function runAttackers(
  target: Target,
  attackers: readonly Attacker[],
  signal: AbortSignal,
): Promise<AttackResult[]> {
  const running = attackers.map(async (attacker, index) => {
    const token = target.tokens[attacker.name];
    if (token === undefined) throw new Error(`${attacker.name} has no token`);
    const from = `127.0.0.${FIRST_HOST + index}`;
    const client = new AttackClient(target.gatewayUrl, token, from, signal, target.slowness);
    try {
      await attacker.run(target, client, signal);
    } catch (error) {
      client.answers.note('ended early', String(error));
    }
    return { attacker: attacker.name, aim: attacker.aim, answers: client.answers.counted() };
  });
  return Promise.all(running);
}
