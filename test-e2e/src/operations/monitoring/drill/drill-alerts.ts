import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { App } from '@forecourt/testing/system';
import { startTestSystem } from '../../../support/start-test-system.js';
import { drills } from './drills.js';
import { Prometheus } from './prometheus.js';
import { type AlertSeen, runDrill } from './run-drill.js';
import { shortenRuleTimes } from './shorten-rule-times.js';

const RULES = fileURLToPath(
  new URL('../../../../../docker/prometheus/alerts.yaml', import.meta.url),
);
const RESULT = fileURLToPath(new URL('../../../../results/alerts.md', import.meta.url));
/** Alerts about funds look back for up to a day and wait up to an hour. */
const FUNDS = 'forecourt-funds';
const FACTOR = 60;
const APPS: readonly App[] = ['gateway', 'coin-pool', 'executor', 'events'];
/** Enough for the pool and a few transactions. */
const FUNDS_AT_FIRST = [3_000_000_000n];

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const system = await startTestSystem({
  events: 1,
  sponsorFunds: FUNDS_AT_FIRST,
  env: { POOL_TARGET_COINS: '20', POOL_MIN_COINS: '10', POOL_SCAN_MS: '1000' },
});
const targets = APPS.flatMap((app) =>
  system.services(app).map(({ metricsUrl }) => new URL(metricsUrl).host),
);
const rules = shortenRuleTimes(readFileSync(RULES, 'utf8'), FUNDS, FACTOR);
const prometheus = await Prometheus.start(rules, targets);
const seen: AlertSeen[] = [];
try {
  for (const drill of drills) seen.push(...(await runDrill(system, prometheus, drill, say)));
} finally {
  await prometheus.stop();
  await system.stop();
}
const report = describe(seen);
writeFileSync(RESULT, report);
process.stdout.write(report);
const isComplete = seen.every(
  ({ firedAfterSecs, resolvedAfterSecs }) => firedAfterSecs !== null && resolvedAfterSecs !== null,
);
process.exitCode = isComplete ? 0 : 1;

function describe(alerts: readonly AlertSeen[]): string {
  const secs = (value: number | null) => (value === null ? '**not seen**' : `${value} s`);
  const rows = alerts.map(
    ({ drill, alert, firedAfterSecs, resolvedAfterSecs }) =>
      `| ${drill} | ${alert} | ${secs(firedAfterSecs)} | ${secs(resolvedAfterSecs)} |`,
  );
  return `# Alerts on a running system

Made by \`npm run verify -- alerts --live\`: a whole system, a Prometheus that scrapes it every second, and
docker/prometheus/alerts.yaml. The ranges and waits of the group \`${FUNDS}\` are divided by ${FACTOR}; all others are unchanged.

| disturbance | alert | fires after | is resolved after the repair |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}
