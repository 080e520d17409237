#!/usr/bin/env node
import { ensureChromium } from './ensure-chromium.mjs';
import { runCommand } from './progress.mjs';
import { readOptions } from './read-options.mjs';
import { runMeasurement } from './run-measurement.mjs';

const HELP = `npm run verify:client-package

Packs @forecourt/client, installs it in an empty folder outside of the repository, checks the package with public tools, and
compiles and runs the examples of its README with exactly what the README says to install: in the oldest Node that is
supported, and in Chromium, against the system that npm start starts. Needs the registry of npm. Installs Chromium on Debian as
root; elsewhere it must be there, on the PATH or as CHROMIUM.`;

await runCommand(async () => {
  if (readOptions(HELP, {}) === null) return 0;
  return runMeasurement(['deployment', 'client-package', 'verify-client-package.js'], [await ensureChromium()]);
});
