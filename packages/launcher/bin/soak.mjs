#!/usr/bin/env node
import { runCommand } from './progress.mjs';
import { runMeasurement } from './run-measurement.mjs';

/**
 * Long runs: `soak.mjs [--help]` kills and injects faults under load, `soak.mjs attacks [--help]` has attackers beside
 * honest clients.
 */
await runCommand(() => {
  const [first, ...rest] = process.argv.slice(2);
  return first === 'attacks'
    ? runMeasurement(['attacks', 'soak', 'soak.js'], rest)
    : runMeasurement(['chaos', 'soak.js'], process.argv.slice(2));
});
