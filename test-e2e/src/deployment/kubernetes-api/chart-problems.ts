import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCKER } from '../manifest.js';
import { COMMITTED, manifestsOf, VARIANTS } from '../variants.js';
import { lintChart, renderChart, renderManifests } from './render-chart.js';

/** Of every service, by its table of variables. */
const SECRETS = readFileSync(join(DOCKER, 'helm', 'forecourt', 'secret-variables.txt'), 'utf8')
  .trim()
  .split('\n');

/** Values that no fleet can work with, on top of those of production, and the reason that the chart gives. */
const REFUSED: readonly (readonly [flags: readonly string[], reason: string])[] = [
  [['--set', 'replicas=2'], "additional properties 'replicas' not allowed"],
  [['--set', 'services.gateway.replica=2'], "additional properties 'replica' not allowed"],
  [['--set', 'services.coin-pool.replicas=two'], "/coin-pool/replicas': got string, want integer"],
  [['--set', 'secrets.sponsor=null'], "at '/secrets': missing property 'sponsor'"],
  [['--set', 'secrets.sponsor.name='], "at '/secrets/sponsor/name': minLength: got 0, want 1"],
  [['--set', 'config.pool.POOL_TARGET_BALANCE=5'], 'got number, want string'],
  ...['fleet', 'events'].flatMap((part) =>
    SECRETS.map((name) => {
      return [['--set-string', `config.${part}.${name}=x`], `${name} is a secret`] as const;
    }),
  ),
  ...['coin-pool', 'devnet', 'history'].map((service) => {
    const name = `config.${service}.LEDGER_ULR`;
    return [['--set-string', `${name}=x`], `${name} is not a variable`] as const;
  }),
  [['--set-string', 'config.gateway.EVENTS_DATABASE_READ_URL=x'], 'is a secret'],
  [
    ['--set-string', 'config.fleet.LEDGER_URL=https://user:p@node.example.com'],
    'LEDGER_URL has a user name or a password',
  ],
  [
    ['--set-string', 'config.gateway.GATWAY_PORT=1'],
    'config.gateway.GATWAY_PORT is not a variable',
  ],
  [['--set-string', 'config.executor.POOL_TARGET_COINS=9'], 'config.executor.POOL_TARGET_COINS is'],
  [['--set-string', 'config.fleet.LOG_LEVELS=info'], 'config.fleet.LOG_LEVELS is not a variable'],
  [['--set', 'config.fleet.LEDGER_URL='], 'LEDGER_URL is needed'],
  [['--set', 'config.redis.REDIS_MODE=sentinel'], 'REDIS_SENTINEL_MASTER is needed'],
  [['--set', 'config.redis.REDIS_MODE=several'], "one of 'single', 'cluster', 'sentinel'"],
  [['--set', 'image.digest='], 'image.tag or image.digest is needed'],
  [['--set-string', 'image.tag=1'], 'exclude each other'],
  [['--set', 'image.digest=sha256:1'], "'sha256:1' does not match pattern"],
  [['--set', 'services.executor.replicas=2'], 'exclude each other'],
  [['--set', 'services.gateway.replicas=2'], 'exclude each other'],
  [['--set', 'history.enabled=true'], 'networkPolicies.database.to is needed'],
  [['--set', 'eventsIndex.enabled=true'], 'networkPolicies.eventsDatabase.to is needed'],
  [['--set', 'networkPolicies.redis.to=null'], "missing property 'to'"],
  [['--set-json', 'networkPolicies.redis.to=[]'], 'networkPolicies.redis.to is needed'],
  [['--set', 'webhooks.enabled=true'], 'needs history.enabled and accessFiles.enabled'],
  [['--set', 'ingress.enabled=true'], 'needs ingress.host'],
  [['--set', 'monitoring.alerts=true'], 'needs monitoring.enabled'],
  [['--set-string', 'commonLabels.app\\.kubernetes\\.io/name=x'], 'false schema'],
  [['--kube-version', '1.29.0'], 'chart requires kubeVersion: >=1.30.0'],
];

/** Problems that Helm finds in the chart, and differences of the committed manifests; empty if none. */
export function findChartProblems(helm: string): string[] {
  const problems: string[] = [];
  for (const variant of Object.keys(VARIANTS)) {
    const lint = lintChart(helm, variant);
    if (!lint.ok) problems.push(`helm lint, ${variant}: ${lint.message}`);
  }
  for (const variant of COMMITTED) {
    const file = manifestsOf(variant);
    if (readFileSync(file, 'utf8') === renderManifests(helm, variant)) continue;
    problems.push(`${file} is out of date: run npm run verify -- chart --write`);
  }
  for (const [flags, reason] of REFUSED) {
    const { ok, message } = renderChart(helm, 'production', flags);
    if (ok) problems.push(`${flags.join(' ')} is not refused`);
    else if (!message.includes(reason)) {
      problems.push(`${flags.join(' ')} is refused with: ${message}`);
    }
  }
  return problems;
}
