#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIGURATION_PAGE, renderConfigurationPage } from './configuration-page.mjs';
import { prepare } from './prepare.mjs';
import { runCommand } from './progress.mjs';
import { readOptions } from './read-options.mjs';

const HELP = `npm run docs

Writes docs/configuration.md from the services' own tables of variables.`;

/** Writes the page of every service's variables. */
await runCommand(async () => {
  if (readOptions(HELP, {}) === null) return 0;
  const { root } = await prepare({ redis: false });
  writeFileSync(join(root, CONFIGURATION_PAGE), await renderConfigurationPage(root));
  return 0;
});
