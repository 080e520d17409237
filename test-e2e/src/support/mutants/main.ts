import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readNumberOption, readProgramOptions } from '@forecourt/testing/options';
import { chooseSeed } from '@forecourt/testing/seed';
import { Seeded } from '../seeded.js';
import { findMutations, type Target, TARGETS } from './find-mutations.js';
import type { Mutation } from './mutation.js';
import { reportMutants, type TargetResult } from './report.js';
import { findTests, pass } from './unit-tests.js';

const RESULTS = fileURLToPath(new URL('../../../results/', import.meta.url));
const NAMES = Object.keys(TARGETS) as Target[];
const HELP = `npm run verify -- mutants [--only <package>]... [--count <n>] [--seed <n>] [--timeout <seconds>]

Changes one operator, condition or call at a time and runs the unit tests that cover it. A change that no
test detects is a gap. The files on disk stay unchanged.

  --only     ${NAMES.join(', ')} (default: all)
  --count    number of mutants per package (20)
  --seed     chooses the mutants; the same seed chooses the same mutants
  --timeout  time in seconds after which a mutant counts as detected, because it may loop forever (180)

Writes test-e2e/results/mutants.md. Ends with 1 if a package's tests fail without a mutant.`;

const values = readProgramOptions(HELP, {
  only: { type: 'string', multiple: true, default: NAMES },
  count: { type: 'string', default: '20' },
  seed: { type: 'string' },
  timeout: { type: 'string', default: '180' },
});
const say = (text: string) => void process.stderr.write(`${text}\n`);

process.exitCode = await main();

async function main(): Promise<number> {
  const targets = values.only.map(readTarget);
  const seed = values.seed === undefined ? chooseSeed() : readNumberOption('seed', values.seed);
  const count = readNumberOption('count', values.count);
  const timeoutMs = readNumberOption('timeout', values.timeout) * 1_000;
  const only = targets.length === NAMES.length ? '' : targets.map((name) => ` --only ${name}`);
  const command = `npm run verify -- mutants${[only].flat().join('')} --count ${count} --seed ${seed}`;
  say(command);
  const results: TargetResult[] = [];
  for (const target of targets) {
    const mutations = findMutations(target);
    const chosen = new Seeded(seed).shuffle(mutations).slice(0, count);
    const survivors = await findSurvivors(target, chosen, timeoutMs);
    if (survivors === null) return 1;
    results.push({ target, possible: mutations.length, tried: chosen.length, survivors });
    const report = reportMutants(results, command);
    mkdirSync(RESULTS, { recursive: true });
    writeFileSync(`${RESULTS}mutants.md`, report);
  }
  process.stdout.write(reportMutants(results, command));
  return 0;
}

/** Null if the tests fail without a mutation, because they then prove nothing about mutants. */
async function findSurvivors(
  target: Target,
  mutations: readonly Mutation[],
  timeoutMs: number,
): Promise<Mutation[] | null> {
  const reaching = new Map<string, string[]>();
  for (const { file } of mutations) {
    if (!reaching.has(file)) reaching.set(file, await findTests(TARGETS[target], file));
  }
  const tests = [...new Set([...reaching.values()].flat())];
  say(`${target}: ${mutations.length} mutants, ${tests.length} test files`);
  if (tests.length > 0 && !(await pass(tests, null, 10 * timeoutMs))) {
    say(`${target}: its unit tests fail without a mutant; run npm test first`);
    return null;
  }
  const survivors: Mutation[] = [];
  for (const [index, mutation] of mutations.entries()) {
    const ofFile = reaching.get(mutation.file)!;
    const survived = ofFile.length === 0 || (await pass(ofFile, mutation, timeoutMs));
    if (survived) survivors.push(mutation);
    const { file, line } = mutation;
    say(
      `${target} ${index + 1} of ${mutations.length}: ${survived ? 'SURVIVED' : 'detected'}  ${file}:${line}`,
    );
  }
  return survivors;
}

function readTarget(name: string): Target {
  const target = NAMES.find((known) => known === name);
  if (target === undefined) throw new Error(`--only must be one of ${NAMES.join(', ')}`);
  return target;
}
