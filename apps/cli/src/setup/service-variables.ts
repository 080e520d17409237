import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { IS_CLONE, ROOT } from '../workspace/workspace-config.js';

/** The apps that read variables. */
export const APPS = ['gateway', 'coin-pool', 'executor', 'events', 'history', 'devnet'];

/** In the package, the names of all variables. */
export const VARIABLE_NAMES = 'variables.json';

/** A variable, as its table describes it. */
export interface VariableRow {
  readonly name: string;
  readonly kind: string;
  readonly default: string;
  readonly description: string;
  readonly secret: boolean;
  /** The apps that read it. */
  readonly apps: string[];
}

/** The names of all variables that a service reads, also those that end in `_FILE`. */
export async function listVariableNames(): Promise<readonly string[]> {
  if (!IS_CLONE) return JSON.parse(readFileSync(join(ROOT, VARIABLE_NAMES), 'utf8')) as string[];
  return (await collectVariables()).flatMap(({ name }) => name.split(', '));
}

/** The variables of every service, from the services' tables in a built clone. */
export async function collectVariables(): Promise<VariableRow[]> {
  const { describeVariables } = (await loadBuilt('packages/runtime/dist/config/index.js')) as {
    describeVariables: (table: unknown) => Omit<VariableRow, 'apps'>[];
  };
  const rows = new Map<string, VariableRow>();
  for (const app of APPS) {
    const config = await loadBuilt(configModule(app));
    const [, variables] = Object.entries(config).find(([name]) => name.endsWith('Variables'))!;
    for (const row of describeVariables(variables)) {
      const known = rows.get(row.name) ?? { ...row, apps: [] };
      known.apps.push(app);
      rows.set(row.name, known);
    }
  }
  return [...rows.values()];
}

/** The build of an app's file of variables, `<app>-config.ts`, wherever it is among the app's sources. */
function configModule(app: string): string {
  const sources = readdirSync(join(ROOT, 'apps', app, 'src'), { recursive: true }) as string[];
  const source = sources.find((file) => basename(file) === `${app}-config.ts`)!;
  return join('apps', app, 'dist', source.replace(/ts$/, 'js'));
}

/** A module of a built clone, by its path from the root. */
export async function loadBuilt(file: string): Promise<Record<string, unknown>> {
  return (await import(pathToFileURL(join(ROOT, file)).href)) as Record<string, unknown>;
}
