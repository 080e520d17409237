#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { runCommand } from './progress.mjs';
import { runBuilt } from './run-built.mjs';

/** Examines the ledger nodes of the environment, of the system that `npm start` runs, or of `--url`. */
await runCommand(() => {
  const running = join(root, '.data', 'running.json');
  const started = existsSync(running) ? JSON.parse(readFileSync(running, 'utf8')).audit : {};
  const { LEDGER_URL = started.LEDGER_URL } = process.env;
  return runBuilt(['apps', 'cli', 'dist', 'doctor.js'], {
    env: LEDGER_URL ? { ...process.env, LEDGER_URL } : process.env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
});
