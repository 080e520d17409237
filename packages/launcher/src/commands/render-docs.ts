import { join } from 'node:path';
import { format } from 'prettier';
import { ROOT } from '../workspace/workspace-config.js';
import { CONFIGURATION_PAGE, renderConfigurationPage } from './configuration-page.js';
import { APPS, collectVariables, type VariableRow } from './service-variables.js';

/** The Helm chart refuses these variables in ConfigMaps. */
const CHART_SECRETS = join(ROOT, 'docker', 'helm', 'forecourt', 'secret-variables.txt');

/** ConfigMap of the Helm chart → the variables that it may have. */
const CHART_VARIABLES = join(ROOT, 'docker', 'helm', 'forecourt', 'config-variables.json');

/** ConfigMaps that several services read; each of the others has the name of its service. */
const SHARED_MAPS: Readonly<Record<string, readonly string[]>> = {
  fleet: ['gateway', 'coin-pool', 'executor', 'events'],
  redis: ['gateway', 'coin-pool', 'executor', 'history'],
  pool: ['coin-pool', 'executor'],
};

/** File → what it must say, by the services' own tables of variables. */
export async function renderDocs(): Promise<ReadonlyMap<string, string>> {
  const variables = await collectVariables();
  const secrets = variables.filter(({ secret }) => secret);
  const names = secrets.map(({ name }) => name.split(', ')[0]!).toSorted();
  return new Map([
    [CONFIGURATION_PAGE, await renderConfigurationPage()],
    [CHART_SECRETS, `${names.join('\n')}\n`],
    [CHART_VARIABLES, await renderChartVariables(variables)],
  ]);
}

function renderChartVariables(variables: readonly VariableRow[]): Promise<string> {
  const maps = { ...SHARED_MAPS, ...Object.fromEntries(APPS.map((app) => [app, [app]])) };
  const lists = Object.entries(maps).map(([map, readers]) => [
    map,
    variables
      .filter(({ apps }) => apps.some((app) => readers.includes(app)))
      .flatMap(({ name }) => name.split(', '))
      .toSorted(),
  ]);
  return format(JSON.stringify(Object.fromEntries(lists)), { parser: 'json' });
}
