import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const APPS = ['gateway', 'coin-pool', 'executor', 'events', 'devnet'];
/** devnet stands for a network: what all others read is read by all. */
const SERVICES = APPS.length - 1;
const BEGIN = '<!-- configuration: written by `npm run docs` -->';
const END = '<!-- /configuration -->';

/** The README with its configuration table written anew from the apps' tables of variables. */
export async function withConfigurationTable(root, readme) {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`README.md lacks the markers ${BEGIN} and ${END}`);
  return `${before}${BEGIN}\n\n${await renderTable(root)}\n\n${END}${after}`;
}

async function renderTable(root) {
  const { describeVariables } = await load(root, 'packages/runtime/dist/config/index.js');
  const rows = new Map();
  for (const app of APPS) {
    const config = await load(root, `apps/${app}/dist/${app}-config.js`);
    const [variables] = Object.entries(config)
      .find(([name]) => name.endsWith('Variables'))
      .slice(1);
    for (const row of describeVariables(variables)) {
      const known = rows.get(row.name) ?? { ...row, apps: [] };
      known.apps.push(app);
      rows.set(row.name, known);
    }
  }
  const lines = [...rows.values()].map(
    ({ name, kind, default: usual, apps, description }) =>
      `| ${code(name)} | ${apps.length === SERVICES ? 'all' : apps.join(', ')} | ${cell(kind)} | ${cell(usual)} | ${cell(description)} |`,
  );
  return [
    '| Variable | Read by | Kind | Default | Meaning |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

const load = (root, file) => import(pathToFileURL(join(root, file)).href);
const code = (names) =>
  names
    .split(', ')
    .map((name) => `\`${name}\``)
    .join(', ');
const cell = (text) => text.replaceAll('|', '\\|');
