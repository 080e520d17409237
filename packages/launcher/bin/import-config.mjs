#!/usr/bin/env node
import { runCommand } from './progress.mjs';
import { runBuilt } from './run-built.mjs';

/** Turns a configuration of IOTA's gas station into environment variables. */
await runCommand(() =>
  runBuilt(['apps', 'cli', 'dist', 'import-config.js'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  }),
);
