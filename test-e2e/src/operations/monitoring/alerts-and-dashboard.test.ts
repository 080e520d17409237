import type { Logger } from '@forecourt/runtime/service';
import { partial } from '@forecourt/testing/jest';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { signingFaults } from '@forecourt/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import { SignerMetrics } from '@forecourt/runtime/signers';
import type { App } from '@forecourt/testing/system';
import { reserveGas, sponsor } from '../../support/application.js';
import { METERED, system } from '../../support/systems/observed-system.js';
import { applicationOf } from '../../support/tokens-file.js';
import {
  dashboardExpressions,
  defaultOf,
  type NamedExpression,
  quotedLogMessages,
  readAlerts,
  readAlertTests,
  readDashboard,
  readRunbook,
  readScrapeJobs,
  readServiceSources,
} from './monitoring-files.js';
import { type Matcher, readPromql } from './read-promql.js';
import { type Exposition, parseExposition, scrape } from './scrape.js';

/** Prometheus adds these to every series, and knows `up` of every target. */
const OF_PROMETHEUS = ['job', 'instance'];
/** Labels with unbounded values: an expression may select values that did not occur in this run. */
const OPEN_LABELS = new Set([...OF_PROMETHEUS, 'status', 'route', 'sponsor']);
const apps: readonly App[] = ['gateway', 'coin-pool', 'executor', 'events', 'history', 'devnet'];

interface Shown {
  /** Label → values. */
  readonly labels: Map<string, Set<string>>;
}
/** Every series by its name, over all services. */
const seriesByName = new Map<string, Shown>([['up', { labels: new Map() }]]);

const alerts = readAlerts();
const alertExpressions = alerts.map(({ alert, expr }): NamedExpression => ({
  place: alert,
  text: expr,
}));
const expressions = [...alertExpressions, ...dashboardExpressions()];

/** The parts of an expression that no service exposes, in words. */
function missingOf({ text }: NamedExpression): string[] {
  const { selected, grouped } = readPromql(text);
  const known = new Set([...OF_PROMETHEUS, ...(text.includes('histogram_quantile') ? ['le'] : [])]);
  const missing = selected.flatMap(({ metric, matchers }) => {
    const series = seriesByName.get(metric);
    if (!series) return [`metric ${metric}`];
    for (const label of series.labels.keys()) known.add(label);
    return matchers.flatMap((matcher) => missingLabel(metric, series, matcher));
  });
  return [...missing, ...grouped.filter((label) => !known.has(label)).map((one) => `label ${one}`)];
}

function missingLabel(metric: string, { labels }: Shown, matcher: Matcher): string[] {
  const { label, operator, value } = matcher;
  if (OF_PROMETHEUS.includes(label)) return [];
  const values = labels.get(label);
  if (!values) return [`label ${label} of ${metric}`];
  if (OPEN_LABELS.has(label) || operator.startsWith('!')) return [];
  const wanted = operator === '=' ? [value] : value.split('|');
  const occurs = (one: string) => [...values].some((each) => new RegExp(`^(?:${one})$`).test(each));
  return wanted
    .filter((one) => !values.has(one) && !occurs(one))
    .map((one) => `${label}="${one}" of ${metric}`);
}

function show({ samples, types }: Exposition): void {
  for (const name of types.keys())
    if (!seriesByName.has(name)) seriesByName.set(name, { labels: new Map() });
  for (const { name, labels } of samples) {
    const series = seriesByName.get(name) ?? { labels: new Map<string, Set<string>>() };
    seriesByName.set(name, series);
    for (const [label, value] of Object.entries(labels)) {
      series.labels.set(label, (series.labels.get(label) ?? new Set()).add(value));
    }
  }
}

/** The series of a key service with every outcome; this system has local keys only. */
async function exposeKeyService(): Promise<Exposition> {
  const metrics = new Metrics();
  const logger = partial<Logger>({ info: () => undefined, warn: () => undefined });
  const signers = new SignerMetrics(metrics, logger);
  for (const outcome of ['signed', ...signingFaults] as const) {
    signers.onRequest({ sponsor: '0x5', name: 'vault' }, outcome, 0.1);
  }
  return parseExposition((await metrics.expose()).text);
}

describe('alerts, dashboard and runbook', () => {
  beforeAll(async () => {
    for (let i = 0; i < 3; i++) await sponsor(system.application);
    await reserveGas(system.application, 0);
    const metered = applicationOf(METERED, system.application);
    for (let i = 0; i < 2; i++) await sponsor(metered);
    await fetch(`${system.application.url}/rpc`, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"ledger_getEvents","params":["All",null,1,false]}',
    });
    show(await exposeKeyService());
    const scrapeAll = async () => {
      for (const app of apps) show(await scrape(system.services(app)[0]!.metricsUrl));
    };
    await system.until(async () => {
      await scrapeAll();
      const measured = ['forecourt_audit_differences', 'forecourt_history_entries_total'];
      return measured.every((metric) => (seriesByName.get(metric)?.labels.size ?? 0) > 0);
    });
  });

  it.each(expressions.map((one) => [one.place, one] as const))(
    'select only series that services expose: %s',
    (_place, expression) => {
      expect(missingOf(expression)).toEqual([]);
    },
  );

  it('fail the check on a metric, a label or a value that no service exposes', () => {
    const text =
      'sum by (nowhere) (rate(forecourt_executions_total{outcome="lost",colour="x"}[5m]))';
    expect(missingOf({ place: '', text })).toEqual([
      'outcome="lost" of forecourt_executions_total',
      'label colour of forecourt_executions_total',
      'label nowhere',
    ]);
    expect(missingOf({ place: '', text: 'forecourt_gone' })).toEqual(['metric forecourt_gone']);
    expect(() => readPromql('sum by (rate(x[5m])')).toThrow('not PromQL');
  });

  it('agree: the runbook has an entry for every alert, and no other', () => {
    const runbook = readRunbook();
    expect([...runbook.keys()].sort()).toEqual(alerts.map(({ alert }) => alert).sort());
    for (const { alert, annotations, labels } of alerts) {
      expect(annotations.runbook).toBe(`docs/operations/runbook.md#${alert.toLowerCase()}`);
      expect(annotations.summary).not.toBe('');
      expect(['page', 'ticket']).toContain(labels.severity);
      for (const part of ['**Means.** ', '**Look.** ', '**Do.** ', '**Do not** ']) {
        expect(runbook.get(alert)).toContain(`\n${part}`);
      }
    }
  });

  it('have a test of every alert in which it fires, and one in which it does not', () => {
    const expected = readAlertTests();
    for (const { alert } of alerts) {
      const fires = new Set(
        expected.filter(({ alertname }) => alertname === alert).map((one) => one.fires),
      );
      expect([alert, fires]).toEqual([alert, new Set([true, false])]);
    }
  });

  it('name in the runbook only metrics that services expose', () => {
    const names = [...readRunbook().values()].flatMap((text) => text.match(/forecourt_\w+/g) ?? []);
    expect(names.filter((name) => !seriesByName.has(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(10);
  });

  it('quote in the runbook only log messages that services write', () => {
    const sources = readServiceSources();
    const messages = quotedLogMessages();
    expect(messages.filter((message) => !sources.includes(message))).toEqual([]);
    expect(messages.length).toBeGreaterThan(5);
  });

  it('scrape every replica at the port that its service uses, under the job that the alerts name', () => {
    const [job] = readScrapeJobs();
    expect(job?.job_name).toBe('forecourt');
    const found = job!.dns_sd_configs.flatMap(({ names, type, port }) =>
      names.map((name) => (type === 'A' ? `${name}:${port}` : `${name}: type ${type}`)),
    );
    expect(found).toEqual([
      `gateway:${defaultOf('GATEWAY_METRICS_PORT')}`,
      `coin-pool:${defaultOf('COIN_POOL_HEALTH_PORT')}`,
      `executor:${defaultOf('EXECUTOR_HEALTH_PORT')}`,
      `events:${defaultOf('EVENTS_PORT')}`,
      `history:${defaultOf('HISTORY_HEALTH_PORT')}`,
    ]);
    const jobs = expressions
      .flatMap(({ text }) => readPromql(text).selected)
      .flatMap(({ matchers }) => matchers.filter(({ label }) => label === 'job'));
    expect(new Set(jobs.map(({ value }) => value))).toEqual(new Set(['forecourt']));
  });

  it('show panels that do not overlap', () => {
    const taken = new Set<string>();
    for (const { title, gridPos } of readDashboard().panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          const place = `${x},${y}`;
          if (taken.has(place) || x >= 24) throw new Error(`${title} overlaps at ${place}`);
          taken.add(place);
        }
      }
    }
  });
});
