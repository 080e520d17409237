#!/usr/bin/env node
import { ensureChromium } from './ensure-chromium.mjs';
import { runCommand } from './progress.mjs';
import { readOptions } from './read-options.mjs';
import { runMeasurement } from './run-measurement.mjs';

const HELP = `npm run verify:example [-- --screenshots]

Starts a whole system and the example of docs/examples, and uses the page in Chromium: a visitor who owns nothing has
transactions sponsored, sees their events, and is refused beyond the limit. What the page shows is compared with the
ledger. Installs Chromium on Debian as root; elsewhere it must be there, on the PATH or as CHROMIUM.

  --screenshots     replaces the pictures of docs/examples`;

await runCommand(async () => {
  const options = readOptions(HELP, { screenshots: { type: 'boolean' } });
  if (options === null) return 0;
  const chromium = await ensureChromium();
  const flags = options.screenshots ? ['--screenshots'] : [];
  return runMeasurement(['deployment', 'example', 'verify-example.js'], [chromium, ...flags]);
});
