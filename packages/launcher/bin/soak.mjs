#!/usr/bin/env node
import { runCommand } from './progress.mjs';
import { runMeasurement } from './run-measurement.mjs';

/** Run by their name as first argument; without one, the first. */
const PROGRAMS = {
  chaos: ['chaos', 'soak.js'],
  attacks: ['attacks', 'soak', 'soak.js'],
  recovery: ['recovery', 'soak.js'],
};

/**
 * Long runs: `soak.mjs [--help]` kills and injects faults under load, `soak.mjs attacks [--help]` has attackers beside
 * honest clients, `soak.mjs recovery [--help]` measures recoveries after kills.
 */
await runCommand(() => {
  const args = process.argv.slice(2);
  const named = Object.hasOwn(PROGRAMS, args[0] ?? '');
  return runMeasurement(PROGRAMS[named ? args[0] : 'chaos'], named ? args.slice(1) : args);
});
