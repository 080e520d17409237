import type { AttackResult } from './run-attackers.js';

/** Sums the answers to each attacker over several attacks; the examples are those of the last attack. */
export function mergeAttackResults(
  attacks: readonly (readonly AttackResult[])[],
): readonly AttackResult[] {
  const merged = new Map<string, AttackResult>();
  for (const result of attacks.flat()) {
    const before = merged.get(result.attacker);
    const counts = { ...before?.answers.counts };
    for (const [kind, count] of Object.entries(result.answers.counts)) {
      counts[kind] = (counts[kind] ?? 0) + count;
    }
    const examples = { ...before?.answers.examples, ...result.answers.examples };
    merged.set(result.attacker, { ...result, answers: { counts, examples } });
  }
  return [...merged.values()];
}
