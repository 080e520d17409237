import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** An expression and its place. */
export interface NamedExpression {
  readonly place: string;
  readonly text: string;
}

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const readDocker = (path: string) =>
  readFileSync(new URL(`../../../../docker/${path}`, import.meta.url), 'utf8');

const readDocumentation = (path: string) =>
  readFileSync(new URL(`../../../../docs/${path}`, import.meta.url), 'utf8');

/** Every alert of the rules. */
export function readAlerts(): readonly Alert[] {
  const { groups } = parse(readDocker('prometheus/alerts.yaml')) as {
    groups: { rules: Alert[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

/** The expectation of a unit test about one alert. */
export interface ExpectedAlert {
  readonly alertname: string;
  readonly fires: boolean;
}

/** The expectations in the unit tests of alerts, which `npm run verify -- alerts` runs. */
export function readAlertTests(): readonly ExpectedAlert[] {
  const folder = 'prometheus/tests';
  const files = readdirSync(new URL(`../../../../docker/${folder}/`, import.meta.url));
  return files.flatMap((file) => {
    const { tests } = parse(readDocker(`${folder}/${file}`)) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
    };
    return tests.flatMap(({ alert_rule_test: expected }) =>
      expected.map(({ alertname, exp_alerts: alerts = [] }) => {
        return { alertname, fires: alerts.length > 0 };
      }),
    );
  });
}

export interface ScrapeJob {
  readonly job_name: string;
  readonly dns_sd_configs: {
    readonly names: string[];
    readonly type: string;
    readonly port: number;
  }[];
}

export function readScrapeJobs(): readonly ScrapeJob[] {
  const { scrape_configs: jobs } = parse(readDocker('prometheus/prometheus.yaml')) as {
    scrape_configs: ScrapeJob[];
  };
  return jobs;
}

interface Panel {
  readonly title: string;
  readonly targets?: { readonly expr: string }[];
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
}

export interface Dashboard {
  readonly panels: Panel[];
  readonly templating: { readonly list: { readonly name: string; readonly query: unknown }[] };
}

export function readDashboard(): Dashboard {
  return JSON.parse(readDocker('grafana/forecourt.json')) as Dashboard;
}

/** The dashboard's expressions, with values for Grafana's variables. */
export function dashboardExpressions(): readonly NamedExpression[] {
  return readDashboard().panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      place: `panel "${title}"`,
      text: expr.replaceAll('$__rate_interval', '1m').replaceAll('$sponsor', '.*'),
    })),
  );
}

/** The runbook's entries: heading → text. */
export function readRunbook(): ReadonlyMap<string, string> {
  const [, ...entries] = readDocumentation('operations/runbook.md').split(/^## /m);
  return new Map(
    entries.map((entry) => {
      const end = entry.indexOf('\n');
      return [entry.slice(0, end), entry.slice(end)];
    }),
  );
}

const COMMANDS = /^(?:npm|appendonly|appendfsync) /;

/** Log messages that the runbook quotes: inline code of several words, except commands and settings. */
export function quotedLogMessages(): readonly string[] {
  const code = readDocumentation('operations/runbook.md').matchAll(
    /`([A-Z]?[a-z]+(?:[,:;]? [a-z]+)+)`/g,
  );
  return [...code].map(([, text]) => text!).filter((text) => !COMMANDS.test(text));
}

/** All sources of the services, one after another. */
export function readServiceSources(): string {
  return ['apps', 'packages'].map(readSources).join('\n');
}

function readSources(folder: string): string {
  const root = fileURLToPath(new URL(`../../../../${folder}/`, import.meta.url));
  return readdirSync(root)
    .map((workspace) => join(root, workspace, 'src'))
    .filter((sources) => existsSync(sources))
    .flatMap((sources) =>
      readdirSync(sources, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => readFileSync(join(sources, file), 'utf8')),
    )
    .join('\n');
}

/** The default of a variable, according to the configuration page. */
export function defaultOf(variable: string): string {
  const row = readDocumentation('configuration.md')
    .split('\n')
    .find((line) => line.startsWith(`| \`${variable}\` `));
  if (row === undefined) throw new Error(`docs/configuration.md lacks ${variable}`);
  const cells = row.split(/(?<!\\)\|/).slice(1, -1);
  return cells.at(-2)!.trim();
}
