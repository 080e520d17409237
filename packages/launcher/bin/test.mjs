#!/usr/bin/env node
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { Failure, runCommand, say } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/** These tests break the code on purpose, and take as long as all others together: `npm run test:variants` runs them. */
const VARIANTS = 'chaos/broken-variants';

/** More test files side by side than there are processors: most of a test is waiting. The longest begin first. */
const SIDE_BY_SIDE = [
  '--maxWorkers=6',
  '--testSequencer',
  join(import.meta.dirname, 'longest-first.mjs'),
  '--passWithNoTests',
];
const RUNS = [
  ['--selectProjects', 'unit', ...SIDE_BY_SIDE],
  ['--selectProjects', 'e2e', ...SIDE_BY_SIDE, '--testPathIgnorePatterns', VARIANTS],
];
/** The time limit of a test that sets none: long enough for a busy or slow machine. */
const TIME_LIMIT = '--testTimeout=60000';
/** Whatever a failed test has left running must not keep the run from ending. */
const END = '--forceExit';

const HELP = `npm test [-- --repeat <n>] [-- <option of jest>]... [-- <part of a file's path>]...

Runs the unit tests, then the end-to-end tests, and prints one line with the counts at the end.
--selectProjects unit|e2e runs one kind alone. --repeat runs everything n times in a row and ends with 1
if any of the runs failed.`;

await runCommand(async () => {
  const { repeat, help, args } = readArguments(process.argv.slice(2));
  if (help) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  const prepared = await prepare({ redis: true });
  const total = { passed: 0, failed: 0, clean: true };
  for (let turn = 1; turn <= repeat; turn++) {
    const result = await runAll(prepared, args);
    if (repeat > 1) {
      say(`run ${turn} of ${repeat}: ${result.passed} passed, ${result.failed} failed`);
    }
    add(total, result);
  }
  if (total.passed + total.failed === 0) process.stderr.write('no test ran\n');
  process.stderr.write('\n');
  await new Promise((resolve) =>
    process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`, resolve),
  );
  return total.clean && total.failed === 0 && total.passed > 0 ? 0 : 1;
});

async function runAll(prepared, args) {
  const runs = args.includes('--selectProjects') ? [[]] : RUNS;
  rmSync(join(prepared.root, '.data', 'test-logs'), { recursive: true, force: true });
  const total = { passed: 0, failed: 0, clean: true };
  for (const flags of runs) add(total, await runJest(prepared, [...flags, ...args]));
  return total;
}

function add(total, { passed, failed, clean }) {
  total.passed += passed;
  total.failed += failed;
  total.clean &&= clean;
}

/** Reads our own options; all other arguments are passed to jest. */
function readArguments(all) {
  const at = all.indexOf('--repeat');
  const repeat = at < 0 ? 1 : Number(all[at + 1]);
  if (!Number.isInteger(repeat) || repeat < 1) {
    throw new Failure(`--repeat must be a number of runs\n\n${HELP}`);
  }
  return {
    repeat,
    help: all.includes('--help') || all.includes('-h'),
    args: at < 0 ? all : all.toSpliced(at, 2),
  };
}

/** Tests of whole systems start the same programs hundreds of times: compiled code is kept for the next start. */
function settings(root) {
  return {
    NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
    NODE_COMPILE_CACHE: join(root, '.data', 'compiled'),
  };
}

/** Runs jest; the numbers are those of its own result file. A file that cannot run counts as a failure. */
async function runJest({ root, env, node }, args) {
  const file = join(root, '.data', `test-result-${process.pid}.json`);
  mkdirSync(join(root, '.data'), { recursive: true });
  rmSync(file, { force: true });
  say(`jest ${args.join(' ')}`);
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const { code, interrupted } = await runProgram(
    node,
    [
      '--experimental-vm-modules',
      '--no-warnings',
      jest,
      TIME_LIMIT,
      ...args,
      END,
      '--json',
      `--outputFile=${file}`,
    ],
    { cwd: root, env: { ...env, ...settings(root) } },
  );
  if (interrupted) process.exit(code);
  try {
    const result = JSON.parse(readFileSync(file, 'utf8'));
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    return { passed: result.numPassedTests, failed, clean: code === 0 };
  } catch {
    process.stderr.write(`jest ended with ${code} and left no result\n`);
    return { passed: 0, failed: 1, clean: false };
  } finally {
    rmSync(file, { force: true });
  }
}
