#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIGURATION_PAGE, renderConfigurationPage } from './configuration-page.mjs';
import { prepare } from './prepare.mjs';
import { runCommand } from './progress.mjs';

/** Writes the page of every service's variables. */
await runCommand(async () => {
  const { root } = await prepare({ redis: false });
  writeFileSync(join(root, CONFIGURATION_PAGE), await renderConfigurationPage(root));
  return 0;
});
