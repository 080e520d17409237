#!/usr/bin/env node
import { Failure, runCommand } from './progress.mjs';
import { readOptions } from './read-options.mjs';
import { runMeasurement } from './run-measurement.mjs';

/** Programs without options of their own, by the name that npm's script passes. */
const PLAIN = {
  devnet: [
    ['support', 'recorded-node', 'verify-devnet.js'],
    'npm run verify:devnet\n\nReplays the recorded answers of a real node against devnet, and lists the differences.',
  ],
  openapi: [
    ['operations', 'openapi-client', 'verify-openapi.js'],
    'npm run verify:openapi\n\nChecks openapi.json with public tools, and has a client that is generated from it sponsor a transaction.',
  ],
};
/** Programs of test-e2e by the name that npm's script passes; `soak` is chaos unless its first argument names another one. */
const PROGRAMS = {
  clients: ['sponsoring', 'public-clients', 'verify-clients.js'],
  mutants: ['support', 'mutants', 'main.js'],
  soak: ['chaos', 'soak.js'],
  'soak attacks': ['attacks', 'soak', 'soak.js'],
  'soak recovery': ['chaos', 'recovery', 'soak.js'],
  upgrade: ['deployment', 'upgrade', 'verify-upgrade.js'],
};

/** Runs one: `measure.mjs <name> [--help]`. */
await runCommand(() => {
  const [name, ...args] = process.argv.slice(2);
  if (Object.hasOwn(PLAIN, name)) {
    const [program, help] = PLAIN[name];
    return readOptions(help, {}, args) === null ? 0 : runMeasurement(program, []);
  }
  const longer = `${name} ${args[0]}`;
  if (Object.hasOwn(PROGRAMS, longer)) return runMeasurement(PROGRAMS[longer], args.slice(1));
  if (Object.hasOwn(PROGRAMS, name)) return runMeasurement(PROGRAMS[name], args);
  const names = [...Object.keys(PLAIN), ...Object.keys(PROGRAMS)];
  throw new Failure(`name one of ${names.join(', ')}`);
});
