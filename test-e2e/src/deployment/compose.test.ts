import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type App, createSponsorKey } from '@forecourt/testing/system';
import { SHUTDOWN_MS } from '@forecourt/runtime/service';
import { APPS, unknownVariables } from './app-configurations.js';
import { imageDefaults } from './dockerfile.js';
import { DOCKER } from './manifest.js';
import { appsOf, readCompose, type Service, volumeAt } from './read-compose.js';

const folder = mkdtempSync(join(tmpdir(), 'forecourt-compose-'));
afterAll(() => rmSync(folder, { recursive: true }));

const compose = readCompose('compose.yaml');
const services = Object.entries(compose.services);
const apps = appsOf(compose);
/** Those that run until they are stopped. */
const lasting = services.filter(([, { restart }]) => restart !== 'no');

const SECRETS = '/run/secrets';
const FORECOURT = join(DOCKER, '..', 'apps', 'cli', 'bin', 'forecourt.mjs');
const makeSecrets = (env: NodeJS.ProcessEnv = {}) =>
  execFileSync(process.execPath, [FORECOURT, 'secrets', '--out', folder], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
const sponsor = createSponsorKey();
makeSecrets({ SPONSOR_KEYS: sponsor.secret, GAS_STATION_AUTH: 'a-token' });

/** The folder on this machine that a service finds at `SECRETS`. */
const secretsOf = (service: Service) =>
  join(folder, volumeAt(service, SECRETS)?.replace(/-secrets$/, '') ?? 'none');
const environmentOf = (service: Service) =>
  Object.fromEntries(
    Object.entries(service.environment ?? {}).map(([name, text]) => [
      name,
      text.replace(SECRETS, secretsOf(service)),
    ]),
  );
const behaviourOf = (app: App, service: Service) =>
  APPS[app].behave({ ...imageDefaults().environment, ...environmentOf(service) });

/** Services of our own image. */
const OWN = [...Object.keys(APPS), 'secrets', 'first-coins', 'first-transaction'];

/** The services that an app needs at its start, unless it needs Redis and a node. */
const NEEDED: Partial<Record<App, string[]>> = {
  devnet: [],
  history: ['secrets', 'redis', 'postgres'],
  events: ['secrets', 'redis', 'devnet', 'postgres'],
};

describe('compose.yaml', () => {
  it('runs every app by its own program', () => {
    expect(Object.fromEntries(apps.map(([app, { command }]) => [app, command]))).toEqual(
      Object.fromEntries(Object.keys(APPS).map((app) => [app, ['serve', app]])),
    );
    expect(imageDefaults().args).toEqual(['serve', 'gateway']);
  });

  it('sets only variables that the app reads, to values that it accepts', () => {
    for (const [app, service] of apps) {
      expect([app, unknownVariables(app, environmentOf(service))]).toEqual([app, []]);
      behaviourOf(app, service);
    }
  });

  it('directs every call to a port on which a service listens', () => {
    const listens = apps.flatMap(([app, service]) =>
      behaviourOf(app, service).listens.map((port) => `${app}:${port}`),
    );
    for (const [app, service] of apps) {
      for (const call of behaviourOf(app, service).calls) {
        expect([...listens, 'redis:6379', 'postgres:5432']).toContain(call);
      }
    }
  });

  it('checks the readiness of every service, and starts services after those that they need', () => {
    for (const [app, service] of apps) {
      const { healthPort } = behaviourOf(app, service);
      expect(service.healthcheck.test.at(-1)).toBe(String(healthPort));
      const needed = NEEDED[app] ?? ['secrets', 'redis', 'devnet'];
      expect(Object.keys(service.depends_on ?? {})).toEqual(needed);
    }
    expect(compose.services['redis']!.healthcheck.test.join(' ')).toBe(
      'CMD redis-cli -e --no-auth-warning --user probe --pass none ping',
    );
  });

  it('distinguishes ready from not ready without starting Node', async () => {
    const [kind, program, ...args] = compose.services['gateway']!.healthcheck.test.slice(0, -1);
    expect([kind, program]).toEqual(['CMD', 'bash']);
    const requests: string[] = [];
    const answers = [200, 503];
    const server = createServer(({ method, url }, response) => {
      requests.push(`${method} ${url}`);
      response.writeHead(answers.shift()!).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const codes: unknown[] = [];
    for (const state of ['ready', 'not ready', 'gone']) {
      if (state === 'gone') server.close();
      // Compose reads $$ as $.
      const given = args.map((arg) => arg.replaceAll('$$', '$'));
      codes.push((await once(spawn('bash', [...given, String(port)]), 'exit'))[0]);
    }
    expect(codes).toEqual([0, 1, 1]);
    expect(requests).toEqual(['GET /health/ready', 'GET /health/ready']);
  });

  it('probes often while a service starts, and rarely afterwards', () => {
    for (const [name, { healthcheck }] of lasting) {
      const { interval, start_period: start, start_interval: early } = healthcheck;
      expect([name, interval, start, early]).toEqual([name, '60s', '60s', '1s']);
    }
  });

  it('publishes only the ports needed from outside, and on loopback', () => {
    const published = services.flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${port}`),
    );
    expect(published).toEqual([
      'devnet 127.0.0.1:9000:9000',
      'devnet 127.0.0.1:9123:9123',
      'gateway 127.0.0.1:9527:9527',
      'gateway 127.0.0.1:9528:9528',
      'prometheus 127.0.0.1:9090:9090',
      'grafana 127.0.0.1:3000:3000',
    ]);
  });

  it('gives no container more permissions than it needs, and each enough time to stop', () => {
    for (const [name, service] of services) {
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({
          read_only: true,
          cap_drop: ['ALL'],
          restart: lasting.some(([one]) => one === name) ? 'unless-stopped' : 'no',
          security_opt: ['no-new-privileges:true'],
        }),
      ]);
      expect(parseInt(service.stop_grace_period) * 1_000).toBeGreaterThan(SHUTDOWN_MS);
      for (const volume of service.volumes ?? []) {
        const [source, , mode] = (volume as string).split(':');
        if (source!.startsWith('./')) {
          expect([existsSync(join(DOCKER, source!)), mode]).toEqual([true, 'ro']);
        } else expect(Object.keys(compose.volumes)).toContain(source);
      }
      expect(service.image).toMatch(
        OWN.includes(name)
          ? /^forecourt$/
          : /^[\w/]+:v?\d+\.\d+(\.\d+)?(-\w+)?(@sha256:[0-9a-f]{64})?$/,
      );
    }
    for (const name of ['redis', 'postgres']) {
      expect([name, compose.services[name]!.user]).toEqual([name, '999:999']);
    }
  });

  it('configures Redis to keep every acknowledged write', () => {
    expect(compose.services['redis']!.command.join(' ')).toMatch(
      /--appendonly yes --appendfsync always --maxmemory-policy noeviction/,
    );
  });

  it('gives every service what it alone may read, among it a separate Redis password', () => {
    expect(compose.services['redis']!.command.join(' ')).toMatch(
      /--aclfile \/run\/secrets\/users.acl$/,
    );
    expect(compose.services['redis']!.command.join(' ')).toContain('--protected-mode yes');
    const found = Object.fromEntries(
      readdirSync(folder).map((name) => [name, readdirSync(join(folder, name)).toSorted()]),
    );
    expect(found).toEqual({
      redis: ['operator-url', 'users.acl'],
      postgres: ['postgres-password'],
      events: ['database-url', 'fleet-secret'],
      'coin-pool': ['fleet-secret', 'redis-url', 'sponsor-keys'],
      executor: ['redis-url', 'sponsor-keys'],
      history: ['database-url', 'fleet-secret', 'redis-url'],
      gateway: ['fleet-secret', 'redis-url', 'tokens'],
      'first-coins': ['sponsors'],
      'first-transaction': ['forecourt'],
    });
    const made = compose.services['secrets']!.volumes as string[];
    expect(made.toSorted()).toEqual(
      Object.keys(found)
        .map((name) => `${name}-secrets:/secrets/${name}`)
        .toSorted(),
    );
    for (const [name, service] of services) {
      const expected = name in found ? `${name}-secrets` : undefined;
      expect([name, volumeAt(service, SECRETS)]).toEqual([name, expected]);
      for (const volume of (service.volumes ?? []) as string[]) {
        if (volume.includes(`:${SECRETS}`)) expect(volume).toMatch(/:ro$/);
      }
    }
    for (const [name, service] of apps) {
      const named = Object.entries(service.environment ?? {})
        .filter(([variable]) => variable.endsWith('_FILE'))
        .map(([, path]) => basename(path));
      expect([name, named.toSorted()]).toEqual([name, found[name] ?? []]);
    }
    const urls = ['coin-pool', 'executor', 'history', 'gateway'].map((name) =>
      readFileSync(join(folder, name, 'redis-url'), 'utf8').trim(),
    );
    expect(new Set(urls.map((url) => new URL(url).password)).size).toBe(4);
  });

  it('makes secrets once, those of the environment included, and names the sponsors', () => {
    const read = () =>
      (readdirSync(folder, { recursive: true }) as string[])
        .filter((name) => name.includes('/'))
        .map((name) => readFileSync(join(folder, name), 'utf8'));
    const made = read();
    expect(made).toEqual(expect.arrayContaining([`${sponsor.secret}\n`, 'a-token\n']));
    expect(made).toContain(`${sponsor.address}\n`);
    expect(makeSecrets({ SPONSOR_KEYS: createSponsorKey().secret })).toContain('earlier start');
    expect(read()).toEqual(made);
  });

  it('keeps other users of a machine out of a folder that it makes', () => {
    const out = join(folder, '..', `${basename(folder)}-new`);
    try {
      execFileSync(process.execPath, [FORECOURT, 'secrets', '--out', out]);
      expect(statSync(out).mode & 0o777).toBe(0o700);
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });

  it('asks the faucet of devnet for the coins of devnet only', () => {
    const faucetOf = (user: Record<string, string>) =>
      readCompose('compose.yaml', user).services['first-coins']!.environment!['FAUCET_URL'];
    const LEDGER_URL = 'https://node.example.com';
    expect(faucetOf({})).toBeFalsy();
    expect(faucetOf({ LEDGER_URL })).toBe('none');
    const FAUCET_URL = 'https://faucet.example.com';
    expect(faucetOf({ LEDGER_URL, FAUCET_URL })).toBe(FAUCET_URL);
  });

  it('holds no key, token or password, and takes none from the environment', () => {
    for (const [name, { environment = {} }] of apps) {
      const secret = Object.values(APPS[name].variables).filter((one) => one.secret);
      const given = secret.filter((one) => one.name in environment);
      expect([name, given.map((one) => one.name)]).toEqual([name, []]);
    }
    expect(readFileSync(join(DOCKER, 'compose.yaml'), 'utf8')).not.toMatch(
      /\$\{(?!FORECOURT_IMAGE:-forecourt|LEDGER_URL:-http|LEDGER_URL:\+none|FAUCET_URL:-|SPONSOR_KEYS:-\}|GAS_STATION_AUTH:-\})/,
    );
  });
});
