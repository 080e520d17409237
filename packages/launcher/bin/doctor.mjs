#!/usr/bin/env node
import { runCommand } from './progress.mjs';
import { readRunning } from './read-running.mjs';
import { runBuilt } from './run-built.mjs';

/** Examines the ledger nodes of the environment, of the system that `npm start` runs, or of `--url`. */
await runCommand(() => {
  const started = readRunning();
  const { LEDGER_URL = started.LEDGER_URL } = process.env;
  return runBuilt(['apps', 'cli', 'dist', 'doctor.js'], {
    env: LEDGER_URL ? { ...process.env, LEDGER_URL } : process.env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
});
