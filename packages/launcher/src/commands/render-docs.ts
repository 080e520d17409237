import { join } from 'node:path';
import { ROOT } from '../workspace/workspace-config.js';
import { CONFIGURATION_PAGE, renderConfigurationPage } from './configuration-page.js';
import { collectVariables } from './service-variables.js';

/** The Helm chart refuses these variables in ConfigMaps. */
const CHART_SECRETS = join(ROOT, 'docker', 'helm', 'forecourt', 'secret-variables.txt');

/** File → what it must say, by the services' own tables of variables. */
export async function renderDocs(): Promise<ReadonlyMap<string, string>> {
  const secrets = (await collectVariables()).filter(({ secret }) => secret);
  const names = secrets.map(({ name }) => name.split(', ')[0]!).toSorted();
  return new Map([
    [CONFIGURATION_PAGE, await renderConfigurationPage()],
    [CHART_SECRETS, `${names.join('\n')}\n`],
  ]);
}
