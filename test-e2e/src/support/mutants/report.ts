import type { Target } from './find-mutations.js';
import type { Mutation } from './mutation.js';

/** Results of the mutations of one target. */
export interface TargetResult {
  readonly target: Target;
  /** Number of possible mutations. */
  readonly possible: number;
  readonly tried: number;
  /** No unit test of the target failed, or none covers the file. */
  readonly survivors: readonly Mutation[];
}

export function reportMutants(results: readonly TargetResult[], command: string): string {
  const all = {
    target: 'all' as const,
    possible: sum(results.map(({ possible }) => possible)),
    tried: sum(results.map(({ tried }) => tried)),
    survivors: results.flatMap(({ survivors }) => survivors),
  };
  const rows = [...results, all].map(({ target, possible, tried, survivors }) => {
    const detected = tried - survivors.length;
    const score = tried === 0 ? '–' : `${Math.round((100 * detected) / tried)} %`;
    return `| ${[target, possible, tried, detected, survivors.length, score].join(' | ')} |`;
  });
  const survivors = all.survivors.map(
    ({ file, line, before, after }) =>
      `- \`${file}\`, line ${line}\n  - before: \`${before}\`\n  - after: \`${after || '(removed)'}\``,
  );
  return `# Mutants

\`${command}\`

Each mutant is one small change of a source file, chosen at random by the seed; it is detected when a unit test of its
package fails. End-to-end tests do not run: a mutant that only they detect counts as survived. Calls of
\`passFailpoint\` and of methods of a \`logger\` or of \`metrics\` are not mutated, because they decide nothing.

| Package | Possible | Tried | Detected | Survived | Score |
|---|---|---|---|---|---|
${rows.join('\n')}

## Survivors

${survivors.length === 0 ? 'None.' : survivors.join('\n')}
`;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
