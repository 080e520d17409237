import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { ROOT } from '../workspace/workspace-config.js';
import {
  CONFIGURATION_PAGE,
  markdownTable,
  renderConfigurationPage,
} from './configuration-page.js';
import { APPS, collectVariables, loadBuilt, type VariableRow } from '../setup/service-variables.js';

const API_PAGE = join(ROOT, 'docs', 'http-api.md');
/** The lines of the page around the table of errors. */
const ERRORS = /(?<=<!-- Errors, by `npm run docs` -->\n).*(?=<!-- end of the errors -->)/s;

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

/** File → what it must say, by the services' own tables of variables and the table of errors. */
export async function renderDocs(): Promise<ReadonlyMap<string, string>> {
  const variables = await collectVariables();
  const secrets = variables.filter(({ secret }) => secret);
  const names = secrets.map(({ name }) => name.split(', ')[0]!).toSorted();
  return new Map([
    [CONFIGURATION_PAGE, await renderConfigurationPage()],
    [CHART_SECRETS, `${names.join('\n')}\n`],
    [CHART_VARIABLES, await renderChartVariables(variables)],
    [API_PAGE, await renderErrors()],
  ]);
}

async function renderErrors(): Promise<string> {
  const { errorTable } = await loadBuilt('packages/contracts/dist/errors.js');
  const errors = errorTable as Record<string, { status: number; cause: string; remedy: string }>;
  const lines = Object.entries(errors).map(([code, { status, cause, remedy }]) => [
    String(status),
    `\`${code}\``,
    cause,
    remedy,
  ]);
  const table = markdownTable(['Status', 'Code', 'Cause', 'Remedy'], lines);
  const page = readFileSync(API_PAGE, 'utf8').replace(ERRORS, () => `\n${table}\n\n`);
  return format(page, { ...(await resolveConfig(API_PAGE)), filepath: API_PAGE });
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
