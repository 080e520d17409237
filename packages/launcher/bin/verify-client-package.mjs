#!/usr/bin/env node
import { runCommand } from './progress.mjs';
import { runMeasurement } from './run-measurement.mjs';

/** Packs the client, installs it in an empty folder as a new user would, and runs its README's quick start there. */
await runCommand(() => runMeasurement(['client-package', 'verify-client-package.js'], []));
