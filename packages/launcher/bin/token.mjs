#!/usr/bin/env node
import { runCommand } from './progress.mjs';
import { runBuilt } from './run-built.mjs';

/** Makes a token, and its entry for the file of tokens. */
await runCommand(() =>
  runBuilt(['apps', 'cli', 'dist', 'token.js'], { stdio: ['ignore', 'inherit', 'inherit'] }),
);
