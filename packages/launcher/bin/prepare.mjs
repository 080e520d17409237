import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseNode, requireNode, toolEnvironment } from './choose-node.mjs';
import { ensureRedisProgram } from './ensure-redis.mjs';
import { installDependencies } from './install-dependencies.mjs';
import { Failure, say } from './progress.mjs';
import { runProgram } from './run-program.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Makes a clone runnable: dependencies, a Redis program if `redis`, the build if `build`. Throws `Failure`. */
export async function prepare({ redis, build = true }) {
  requireNode();
  await installDependencies(root);
  if (redis) await ensureRedisProgram();
  const env = toolEnvironment(root);
  if (build) await buildEverything(env);
  return { root, env, node: chooseNode(root) };
}

async function buildEverything(env) {
  say('building …');
  const { code, output, interrupted } = await runTurbo('build', env, './packages/*', './apps/*');
  if (interrupted) process.exit(code);
  if (code !== 0) throw new Failure(`the build failed:\n${output.trimEnd()}`);
  say('built');
}

/** Runs a task in the named workspaces (all without a name); what is unchanged comes from turbo's cache. */
export function runTurbo(task, env, ...workspaces) {
  const filters = workspaces.map((folder) => `--filter=${folder}`);
  const flags = ['--output-logs=errors-only', '--ui=stream', '--no-color', '--continue'];
  const quiet = { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1' };
  return runProgram('turbo', ['run', task, ...filters, ...flags], {
    cwd: root,
    env: { ...env, ...quiet },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
