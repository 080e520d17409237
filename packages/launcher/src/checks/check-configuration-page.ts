import { readFileSync } from 'node:fs';
import { CONFIGURATION_PAGE, renderConfigurationPage } from '../commands/configuration-page.js';

if (readFileSync(CONFIGURATION_PAGE, 'utf8') !== (await renderConfigurationPage())) {
  process.stdout.write('docs/configuration.md is out of date: run npm run docs\n');
  process.exitCode = 1;
}
