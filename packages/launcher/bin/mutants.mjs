#!/usr/bin/env node
import { runCommand } from './progress.mjs';
import { runMeasurement } from './run-measurement.mjs';

/** Changes the code in small ways and counts how many of the changes unit tests notice: `mutants.mjs [--help]`. */
await runCommand(() => runMeasurement(['mutants', 'main.js'], process.argv.slice(2)));
