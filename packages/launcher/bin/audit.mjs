#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { runCommand } from './progress.mjs';
import { runBuilt } from './run-built.mjs';

/** Compares the coins on the ledger with those in the pool, for the system that `npm start` runs or for the environment. */
await runCommand(() => {
  const running = join(root, '.data', 'running.json');
  const started = existsSync(running) ? JSON.parse(readFileSync(running, 'utf8')).audit : {};
  return runBuilt(['apps', 'cli', 'dist', 'audit.js'], {
    env: { ...process.env, ...started },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
});
