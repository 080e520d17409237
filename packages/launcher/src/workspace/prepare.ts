import type { SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, endWithOutput, Failure, say } from './command.js';
import { type ProgramResult, runProgram } from './run-program.js';
import { ensureRedisProgram } from './system-programs.js';
import {
  CALLER_FOLDER,
  chooseNode,
  environment,
  IS_CLONE,
  readRunningSystem,
  ROOT,
  toolEnvironment,
} from './workspace-config.js';

/** All packages and apps: what `npm start` and `npm test` run. */
const PRODUCT = ['./packages/*', './apps/*'];
const OPERATOR_PROGRAM = ['apps', 'cli', 'dist', 'bundle', 'forecourt.js'];

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

/** Errors of other packages whose messages name the remedy; this one runs before they are built. */
const EXPLAINED = new Set(['UnsafePlace']);

/** Runs one of these commands, or a command of apps/cli, and resolves with the exit code. */
export async function runCommand(
  commands: Readonly<Record<string, Command>>,
  args: string[],
): Promise<number> {
  endWithOutput();
  const [name = '', ...rest] = args;
  try {
    if (!Object.hasOwn(commands, name)) return await runOperatorCommand(args);
    return await commands[name]!(rest);
  } catch (error) {
    const { message, stack } = error as Error;
    const isExplained = error instanceof Failure || EXPLAINED.has((error as Error).name);
    process.stderr.write(`\n${isExplained ? message : stack}\n`);
    return 1;
  }
}

/**
 * Runs a command of apps/cli where the user is, for the system that the environment names, otherwise the one
 * that `npm start` runs. Throws `Failure` if it is not built.
 */
async function runOperatorCommand(args: readonly string[]): Promise<number> {
  const program = join(ROOT, ...OPERATOR_PROGRAM);
  if (!existsSync(program)) {
    throw new Failure('nothing is built yet: run npm start or npm run build');
  }
  const { code } = await runProgram(chooseNode(), ['--enable-source-maps', program, ...args], {
    cwd: CALLER_FOLDER,
    env: { ...readRunningSystem(), ...environment },
    stdio: 'inherit',
  });
  return code;
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
