#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withConfigurationTable } from './configuration-table.mjs';
import { format } from './format.mjs';
import { prepare } from './prepare.mjs';
import { runCommand } from './progress.mjs';

await runCommand(async () => {
  const { root } = await prepare({ redis: false });
  const file = join(root, 'README.md');
  const readme = await withConfigurationTable(root, readFileSync(file, 'utf8'));
  writeFileSync(file, await format(file, readme));
  return 0;
});
