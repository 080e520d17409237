#!/usr/bin/env node
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { runCommand } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/** Those that start a Redis. */
const NEED_REDIS = ['idle', 'shape', 'sponsoring'];

/** Runs a benchmark of packages/benchmark: `bench.mjs events [--help]`. */
await runCommand(async () => {
  const [name, ...args] = process.argv.slice(2);
  const { root, node } = await prepare({ redis: NEED_REDIS.includes(name) });
  const main = join(root, 'packages', 'benchmark', 'dist', `bench-${name}.js`);
  const { code } = await runProgram(node, ['--enable-source-maps', main, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return code;
});
