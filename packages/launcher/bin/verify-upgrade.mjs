#!/usr/bin/env node
import { runCommand } from './progress.mjs';
import { runMeasurement } from './run-measurement.mjs';

/** Upgrades a whole system under load, and rolls it back: `verify-upgrade.mjs [--help]`. */
await runCommand(() => runMeasurement(['upgrade', 'verify-upgrade.js'], process.argv.slice(2)));
