#!/usr/bin/env node
import { runCommand } from './progress.mjs';
import { readRunning } from './read-running.mjs';
import { runBuilt } from './run-built.mjs';

/** Compares the coins on the ledger with those in the pool, for the system that `npm start` runs or for the environment. */
await runCommand(() => {
  const started = readRunning();
  return runBuilt(['apps', 'cli', 'dist', 'audit.js'], {
    env: { ...process.env, ...started },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
});
