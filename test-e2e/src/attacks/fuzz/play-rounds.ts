import fc from 'fast-check';
import { playRound, type Round, type RoundParts, rounds } from './sponsoring-round.js';

const AT_ONCE = 8;
const CHUNK = 200;
const MAX_VIOLATIONS = 5;
const SHOWN_LENGTH = 3_000;

/**
 * Plays rounds that the seed decides, several at once, until they are enough or too many faults were found.
 * Returns the faults, each with its round.
 */
export async function playRounds(
  parts: RoundParts,
  seed: number,
  areEnough: () => boolean,
): Promise<string[]> {
  const violations: string[] = [];
  const coming = generate(seed);
  const play = async () => {
    while (!areEnough() && violations.length < MAX_VIOLATIONS) {
      const round = coming.next().value;
      await parts.world.look();
      await playRound(parts, round).catch((error: Error) => {
        violations.push(`${error.message}\n${fc.stringify(round)}`.slice(0, SHOWN_LENGTH));
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, play));
  return violations;
}

function* generate(seed: number): Generator<Round, never> {
  for (let chunk = 0; ; chunk++) {
    yield* fc.sample(rounds, { seed: seed + chunk, numRuns: CHUNK });
  }
}
