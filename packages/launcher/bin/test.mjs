#!/usr/bin/env node
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { runCommand, say } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/** They break the code on purpose, one variant after another, and take as long as all others: `npm run test:variants`. */
const VARIANTS = 'chaos/broken-variants';

/**
 * Whole systems are tested side by side, each with ports, data and logs of its own: most of such a test is waiting for
 * other processes. The longest begin first.
 */
const RUNS = [
  ['--selectProjects', 'unit', '--maxWorkers=2', '--passWithNoTests'],
  [
    '--selectProjects',
    'e2e',
    '--maxWorkers=3',
    '--passWithNoTests',
    '--testSequencer',
    join(import.meta.dirname, 'longest-first.mjs'),
    '--testPathIgnorePatterns',
    VARIANTS,
  ],
];
/** What a test may take that says nothing about it, on a machine that is busy or slow. */
const PATIENCE = '--testTimeout=60000';
/** What a failed test has left running must not keep the run from ending. */
const END = '--forceExit';

await runCommand(async () => {
  const args = process.argv.slice(2);
  const prepared = await prepare({ redis: true });
  const runs = args.includes('--selectProjects') ? [[]] : RUNS;
  rmSync(join(prepared.root, '.data', 'test-logs'), { recursive: true, force: true });
  const total = { passed: 0, failed: 0 };
  let clean = true;
  for (const flags of runs) {
    const result = await runJest(prepared, [...flags, ...args]);
    total.passed += result.passed;
    total.failed += result.failed;
    clean &&= result.clean;
  }
  if (total.passed + total.failed === 0) process.stderr.write('no test ran\n');
  process.stderr.write('\n');
  await new Promise((resolve) =>
    process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`, resolve),
  );
  return clean && total.failed === 0 && total.passed > 0 ? 0 : 1;
});

/** Whole systems start the same programs a hundred times over: what is compiled is kept for the next. */
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
      PATIENCE,
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
