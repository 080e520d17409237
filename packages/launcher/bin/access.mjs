#!/usr/bin/env node
import { root } from './prepare.mjs';
import { runCommand } from './progress.mjs';
import { runBuilt } from './run-built.mjs';

/** Checks files of rules and tokens, and explains what they decide about a transaction. */
await runCommand(() =>
  runBuilt(['apps', 'cli', 'dist', 'access.js'], {
    cwd: process.env.INIT_CWD ?? root,
    stdio: 'inherit',
  }),
);
