#!/usr/bin/env node
import { Failure, runCommand } from './progress.mjs';
import { runMeasurement } from './run-measurement.mjs';

/** Programs of test-e2e by the name that npm's script passes; `soak` is chaos unless its first argument names another one. */
const PROGRAMS = {
  'client-package': ['client-package', 'verify-client-package.js'],
  clients: ['public-clients', 'verify-clients.js'],
  devnet: ['recorded-node', 'verify-devnet.js'],
  mutants: ['mutants', 'main.js'],
  openapi: ['openapi-client', 'verify-openapi.js'],
  soak: ['chaos', 'soak.js'],
  'soak attacks': ['attacks', 'soak', 'soak.js'],
  'soak recovery': ['recovery', 'soak.js'],
  upgrade: ['upgrade', 'verify-upgrade.js'],
};

/** Runs one: `measure.mjs <name> [--help]`. */
await runCommand(() => {
  const [name, ...args] = process.argv.slice(2);
  const longer = `${name} ${args[0]}`;
  if (Object.hasOwn(PROGRAMS, longer)) return runMeasurement(PROGRAMS[longer], args.slice(1));
  if (Object.hasOwn(PROGRAMS, name)) return runMeasurement(PROGRAMS[name], args);
  throw new Failure(`name one of ${Object.keys(PROGRAMS).join(', ')}`);
});
