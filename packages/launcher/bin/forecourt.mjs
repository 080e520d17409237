#!/usr/bin/env node
import { runCommand } from './progress.mjs';
import { readRunning } from './read-running.mjs';
import { runBuilt } from './run-built.mjs';

/** The command line, for the system that `npm start` runs or for the environment. */
await runCommand(() => {
  const started = readRunning();
  return runBuilt(['apps', 'cli', 'dist', 'forecourt.js'], {
    env: { ...started, ...process.env },
    stdio: 'inherit',
  });
});
