import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import { appsOf, readCompose, type Service } from './read-compose.js';

const folder = mkdtempSync(join(tmpdir(), 'forecourt-compose-'));
afterAll(() => rmSync(folder, { recursive: true }));

const compose = readCompose('compose.yaml');
const services = Object.entries(compose.services);
const apps = appsOf(compose);

const SAMPLES: Readonly<Record<string, string>> = {
  'sponsor-keys': createSponsorKey().secret,
  tokens: 'a-token',
  'database-url': 'postgres://forecourt:password@postgres:5432/forecourt',
  'fleet-secret': 'a-secret-of-a-fleet-of-32-or-more-characters',
};
const environmentOf = ({ environment = {} }: Service) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [
      name,
      name.endsWith('_FILE') ? secretFile(text) : text,
    ]),
  );
/** A sample file for the secret that is mounted at `path`. */
function secretFile(path: string): string {
  const file = join(folder, basename(path));
  const user = basename(path).replace('-redis-url', '');
  writeFileSync(file, SAMPLES[user] ?? `redis://${user}:password@redis:6379`);
  return file;
}
const behaviourOf = (app: App, service: Service) =>
  APPS[app].behave({ ...imageDefaults().environment, ...environmentOf(service) });

/** The services that an app needs at its start, unless it needs Redis and a node. */
const NEEDED: Partial<Record<App, string[]>> = {
  devnet: [],
  history: ['redis', 'postgres'],
  events: ['redis', 'devnet', 'postgres'],
};

describe('compose.yaml', () => {
  it('runs every app by its own program', () => {
    expect(Object.fromEntries(apps.map(([app, { command }]) => [app, command]))).toEqual(
      Object.fromEntries(
        Object.keys(APPS).map((app) => [app, [`apps/${app}/dist/bundle/main.js`]]),
      ),
    );
    expect(existsSync(join(DOCKER, '..', imageDefaults().args[0]!))).toBe(true);
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
      const needed = NEEDED[app] ?? ['redis', 'devnet'];
      expect(Object.keys(service.depends_on ?? {})).toEqual(needed);
    }
    expect(compose.services['redis']!.healthcheck.test.join(' ')).toBe(
      'CMD redis-cli -e --no-auth-warning --user probe --pass none ping',
    );
  });

  it('distinguishes ready from not ready without starting Node', async () => {
    const [kind, program, ...args] = compose.services['gateway']!.healthcheck.test.slice(0, -1);
    expect([kind, program]).toEqual(['CMD', 'bash']);
    const asked: string[] = [];
    const answers = [200, 503];
    const server = createServer(({ method, url }, response) => {
      asked.push(`${method} ${url}`);
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
    expect(asked).toEqual(['GET /health/ready', 'GET /health/ready']);
  });

  it('probes often while a service starts, and rarely afterwards', () => {
    for (const [name, { healthcheck }] of services) {
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
          restart: 'unless-stopped',
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
        name in APPS ? /^forecourt$/ : /^[\w/]+:v?\d+\.\d+(\.\d+)?(-\w+)?(@sha256:[0-9a-f]{64})?$/,
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

  it('gives every service a separate Redis password', () => {
    expect(compose.services['redis']!.command.join(' ')).toMatch(
      /--aclfile \/run\/secrets\/redis-users$/,
    );
    expect(compose.services['redis']!.command.join(' ')).toContain('--protected-mode yes');
    const files = services.map(([name, { secrets = [] }]) => [
      name,
      secrets.map((secret) => basename(compose.secrets[secret]!.file)),
    ]);
    expect(Object.fromEntries(files)).toEqual({
      redis: ['users.acl'],
      postgres: ['postgres-password'],
      devnet: [],
      events: ['database-url', 'fleet-secret'],
      'coin-pool': ['coin-pool.url', 'sponsor-keys', 'fleet-secret'],
      executor: ['executor.url', 'sponsor-keys'],
      history: ['history.url', 'database-url', 'fleet-secret'],
      gateway: ['gateway.url', 'tokens', 'fleet-secret'],
      prometheus: [],
      grafana: [],
    });
    for (const [name, service] of apps) {
      const named = Object.entries(service.environment ?? {})
        .filter(([variable]) => variable.endsWith('_FILE'))
        .map(([, path]) => path);
      const mounted = (service.secrets ?? []).map((secret) => `/run/secrets/${secret}`);
      expect([name, named.sort()]).toEqual([name, mounted.sort()]);
    }
  });

  it('holds no key, token or password, and takes none from the environment', () => {
    for (const [name, { environment = {} }] of apps) {
      const secret = Object.values(APPS[name].variables).filter((one) => one.secret);
      const given = secret.filter((one) => one.name in environment);
      expect([name, given.map((one) => one.name)]).toEqual([name, []]);
    }
    expect(readFileSync(join(DOCKER, 'compose.yaml'), 'utf8')).not.toMatch(
      /\$\{(?!BUILD_COMMIT:-\}|LEDGER_URL:-http)/,
    );
  });
});
