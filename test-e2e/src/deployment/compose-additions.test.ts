import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readScrapeJobs } from '../operations/monitoring/monitoring-files.js';
import { unknownVariables } from './app-configurations.js';
import { DOCKERFILE, imageDefaults } from './dockerfile.js';
import { DOCKER } from './manifest.js';
import { appsOf, type BindMount, readCompose } from './read-compose.js';

const compose = readCompose('compose.yaml');
const services = Object.entries(compose.services);
const apps = appsOf(compose);

describe('the profile monitoring of compose.yaml', () => {
  const monitoring = services.filter(([, { profiles }]) => profiles?.includes('monitoring'));

  it('adds Prometheus and Grafana, which do not run otherwise', () => {
    expect(monitoring.map(([name]) => name)).toEqual(['prometheus', 'grafana']);
    const others = services.filter(([, { profiles }]) => profiles === undefined);
    expect(others.map(([name]) => name)).toEqual([
      'secrets',
      'redis',
      'postgres',
      ...apps.map(([name]) => name),
      'first-coins',
      'first-transaction',
    ]);
  });

  it('configures Prometheus to find every service by its name', () => {
    const [job] = readScrapeJobs();
    const names = job!.dns_sd_configs.flatMap((one) => one.names);
    expect(names.sort()).toEqual(
      apps
        .map(([name]) => name)
        .filter((name) => name !== 'devnet')
        .sort(),
    );
    const prometheus = compose.services['prometheus']!;
    expect(prometheus.command).toContain('--config.file=/etc/prometheus/prometheus.yaml');
    expect(prometheus.volumes).toContain('./prometheus:/etc/prometheus:ro');
  });

  it('shows the dashboard with the data of that Prometheus', () => {
    const { volumes, environment } = compose.services['grafana']!;
    expect(volumes).toContain('./grafana/provisioning:/etc/grafana/provisioning:ro');
    expect(volumes).toContain('./grafana:/etc/forecourt:ro');
    const read = (file: string) =>
      parse(readFileSync(join(DOCKER, 'grafana/provisioning', file), 'utf8')) as unknown;
    expect(read('datasources/prometheus.yaml')).toMatchObject({
      datasources: [{ type: 'prometheus', url: 'http://prometheus:9090', isDefault: true }],
    });
    expect(read('dashboards/forecourt.yaml')).toMatchObject({
      providers: [{ type: 'file', options: { path: '/etc/forecourt' } }],
    });
    expect(existsSync(join(DOCKER, 'grafana/forecourt.json'))).toBe(true);
    expect(environment).toMatchObject({
      GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
      GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true',
    });
  });
});

describe('compose.access.yaml', () => {
  const withAccess = readCompose('compose.access.yaml');
  const { environment, volumes } = withAccess.services['gateway']!;

  it('mounts the folder of tokens and rules, and a volume for the audit file', () => {
    expect(unknownVariables('gateway', environment!)).toEqual([]);
    const [folder, audit] = volumes as [BindMount, string];
    expect(folder).toEqual({
      type: 'bind',
      source: '../.data/access',
      target: '/etc/forecourt',
      read_only: true,
      bind: { create_host_path: false },
    });
    expect(environment).toEqual({
      TOKENS_FILE: `${folder.target}/tokens.yaml`,
      ACCESS_RULES_FILE: `${folder.target}/rules.yaml`,
      ACCESS_AUDIT_FILE: `${audit.split(':')[1]}/access.jsonl`,
    });
    expect(Object.keys(withAccess.volumes)).toContain(audit.split(':')[0]);
  });

  it('gives history the tokens, and the secrets of webhooks in a folder that gateways do not have', () => {
    const { history, gateway } = withAccess.services;
    expect(unknownVariables('history', history!.environment!)).toEqual([]);
    const [tokens, secrets] = history!.volumes as [BindMount, BindMount];
    expect(tokens).toEqual(gateway!.volumes![0]);
    expect(history!.environment).toEqual({ TOKENS_FILE: `${tokens.target}/tokens.yaml` });
    expect(secrets).toEqual({ ...tokens, source: '../.data/webhooks', target: '/etc/webhooks' });
  });

  it('writes only to paths where the image lets its user write, and any user of group 0', () => {
    const owned = DOCKERFILE.match(/install -d -o 1000 -g 0 -m 0770 (\S+)$/m);
    expect([owned?.[1], imageDefaults().user]).toEqual(['/data', '1000:1000']);
  });
});

describe('a node of the user', () => {
  it('is used by every service instead of devnet, without a change of the file', () => {
    const url = 'http://host.docker.internal:9000';
    const own = readCompose('compose.yaml', { LEDGER_URL: url });
    const users = appsOf(own).filter(([, { environment = {} }]) => 'LEDGER_URL' in environment);
    expect(users.map(([app]) => app)).toEqual(
      expect.arrayContaining(['gateway', 'coin-pool', 'executor', 'events']),
    );
    for (const [app, service] of users) {
      expect([app, service.environment!['LEDGER_URL']]).toEqual([app, url]);
      expect(service.extra_hosts).toEqual(['host.docker.internal:host-gateway']);
    }
    expect(JSON.stringify(own)).not.toContain('http://devnet:9000');
  });
});
