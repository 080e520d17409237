import type { SpawnOptions } from 'node:child_process';
import { join } from 'node:path';
import { Failure } from './failure.js';
import { type ProgramResult, runProgram } from './run-program.js';
import { say } from './say.js';
import { ensureRedisProgram } from './system-programs.js';
import { chooseNode, IS_CLONE, ROOT, toolEnvironment } from './workspace-config.js';

/** All packages and apps: what `npm start` and `npm test` run. */
const PRODUCT = ['./packages/*', './apps/*'];

/** Builds these workspaces of a clone, and finds or installs a Redis program if `redis`. Throws `Failure`. */
export async function prepare({ redis = false, workspaces = PRODUCT } = {}): Promise<void> {
  if (redis) await ensureRedisProgram();
  if (!IS_CLONE) return;
  say('building …');
  const { code, output, interrupted } = await runTurbo('build', workspaces);
  if (interrupted) process.exit(code);
  if (code !== 0) throw new Failure(`the build failed:\n${output.trimEnd()}`);
  say('built');
}

/** Runs a task in these workspaces; results of unchanged workspaces come from turbo's cache. */
function runTurbo(task: string, workspaces: readonly string[]): Promise<ProgramResult> {
  const filters = workspaces.map((folder) => `--filter=${folder}`);
  const flags = ['--output-logs=errors-only', '--ui=stream', '--no-color', '--continue'];
  const quiet = { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1' };
  return runProgram('turbo', ['run', task, ...filters, ...flags], {
    cwd: ROOT,
    env: { ...toolEnvironment(), ...quiet },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs a built program, by its path from the root, in the foreground. */
export function runBuilt(
  path: readonly string[],
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<ProgramResult> {
  return runProgram(chooseNode(), ['--enable-source-maps', join(ROOT, ...path), ...args], {
    cwd: ROOT,
    env: toolEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
  });
}

/**
 * Builds everything and runs a program of test-e2e, by its path in `dist`. Resolves with the exit code.
 * Throws `Failure`.
 */
export async function runOfTests(
  path: readonly string[],
  args: readonly string[],
): Promise<number> {
  await prepare({ redis: true, workspaces: [...PRODUCT, './test-e2e'] });
  const { code } = await runBuilt(['test-e2e', 'dist', ...path], args);
  return code;
}

/**
 * Builds everything and runs a benchmark. `redis`: it needs a Redis program. Resolves with the exit code.
 * Throws `Failure`.
 */
export async function runBenchmark(
  name: string,
  redis: boolean,
  args: readonly string[],
): Promise<number> {
  await prepare({ redis, workspaces: [...PRODUCT, './test-e2e/benchmark'] });
  const { code } = await runBuilt(['test-e2e', 'benchmark', 'dist', `bench-${name}.js`], args);
  return code;
}
