#!/usr/bin/env node
import { runCommand } from './progress.mjs';
import { runMeasurement } from './run-measurement.mjs';

/** Has public tools check the description of the HTTP API, and sponsors a transaction with a client that one generates. */
await runCommand(() => runMeasurement(['openapi-client', 'verify-openapi.js'], []));
