import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  inheritedEnvironment,
  readUsersTemplate,
  RedisCredentials,
} from '@forecourt/testing/system';
import { type RedisServer, startRedisServer } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import { DOCKER } from './manifest.js';

const FORECOURT = join(DOCKER, '..', 'apps', 'cli', 'bin', 'forecourt.mjs');
const DIGEST = `sha256:${'ab'.repeat(32)}`;
const USUAL_PATH = inheritedEnvironment()['PATH'] ?? '';

const folders: string[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-tools-'));
  folders.push(folder);
});
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true });
});

interface Ended {
  readonly code: number;
  readonly output: string;
}

function run(tool: string, args: readonly string[], path = USUAL_PATH): Promise<Ended> {
  const env = { ...inheritedEnvironment(), PATH: path };
  return new Promise((resolve) => {
    execFile(process.execPath, [FORECOURT, tool, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

describe('npm run forecourt -- redis-users', () => {
  it('creates users that Redis accepts, each with its URL', async () => {
    const out = join(folder, 'users');
    const redisUrl = 'redis://127.0.0.1:6379';
    expect(await run('redis-users', ['--out', out, '--url', redisUrl])).toMatchObject({
      code: 0,
    });
    expect(statSync(out).mode & 0o777).toBe(0o700);
    const read = (file: string) => readFileSync(join(out, file), 'utf8').trim();
    const server = await startRedisServer({ users: read('users.acl').split('\n') });
    try {
      for (const user of ['gateway', 'coin-pool', 'executor', 'scaler', 'operator']) {
        const url = new URL(read(`${user}.url`));
        expect(read('users.acl')).not.toContain(url.password);
        url.port = String(server.port);
        const redis = new Redis(url.href, { enableReadyCheck: false });
        expect(await redis.ping()).toBe('PONG');
        redis.disconnect();
      }
    } finally {
      await server.stop();
    }
    const again = await run('redis-users', ['--out', out]);
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('has users already')]);
  });
});

describe('the users of Redis', () => {
  it('do not prevent Redis from loading, after a crash, the writes of a script', async () => {
    const credentials = new RedisCredentials(readUsersTemplate());
    const start = () => startRedisServer({ dir: folder, users: credentials.aclLines });
    const open = ({ url }: RedisServer) => new Redis(credentials.urlOf('operator', url));
    const before = await start();
    const writer = open(before);
    // Redis stores several writes of a script as one transaction in the append-only file.
    await writer.eval('redis.call("set", KEYS[1], 1) redis.call("set", KEYS[2], 2)', 2, 'a', 'b');
    writer.disconnect();
    await before.stop('SIGKILL');
    const after = await start();
    const reader = open(after);
    expect(await reader.mget('a', 'b')).toEqual(['1', '2']);
    reader.disconnect();
    await after.stop();
  });
});

describe('npm run forecourt -- pin-images', () => {
  const pin = (...args: string[]) => run('pin-images', args, `${folder}:${USUAL_PATH}`);

  /** Replaces docker, because the test has no registry. */
  function answerWith(text: string): void {
    writeFileSync(join(folder, 'docker'), `#!/bin/sh\necho '${text}'\n`);
    chmodSync(join(folder, 'docker'), 0o755);
  }

  it('pins every image by its digest, when --own names the services’ image', async () => {
    const copy = join(folder, 'files');
    cpSync(DOCKER, copy, { recursive: true });
    answerWith(DIGEST);
    const files = ['--folder', copy];
    expect((await pin('--check', ...files)).code).toBe(1);
    expect((await pin(...files)).code).toBe(0);
    const own = await pin('--check', ...files);
    expect([own.code, own.output]).toEqual([1, expect.stringContaining('name it with --own')]);
    const registry = 'registry.example.com:5000/team/forecourt';
    expect((await pin('--own', `${registry}:2.0.0`, ...files)).code).toBe(0);
    expect((await pin('--check', ...files)).code).toBe(0);
    const read = (file: string) => readFileSync(join(copy, file), 'utf8');
    for (const image of ['redis', 'prom/prometheus', 'grafana/grafana']) {
      expect(read('compose.yaml')).toMatch(new RegExp(`image: ${image}:[\\w.-]+@${DIGEST}\n`));
    }
    expect(read('Dockerfile')).toMatch(new RegExp(`NODE_IMAGE=node:[\\w.-]+@${DIGEST}\n`));
    expect(read('helm/values/production.yaml')).toContain(
      `repository: ${registry}\n  digest: ${DIGEST}\n`,
    );
    expect(read('kubernetes/production.yaml').match(/(?<= image: ).*/g)).toEqual(
      Array.from({ length: 4 }, () => `${registry}@${DIGEST}`),
    );
  });

  it('changes nothing if docker returns no digest', async () => {
    const copy = join(folder, 'files');
    cpSync(DOCKER, copy, { recursive: true });
    answerWith('something else');
    expect(await pin('--folder', copy)).toMatchObject({
      code: 1,
      output: expect.stringContaining('docker gave no digest of node:'),
    });
    expect(readFileSync(join(copy, 'Dockerfile'))).toEqual(
      readFileSync(join(DOCKER, 'Dockerfile')),
    );
  });
});

describe('npm run verify -- alerts', () => {
  const verify = () => run('verify', ['alerts'], folder);

  function standIn(script: string): void {
    writeFileSync(join(folder, 'promtool'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'promtool'), 0o755);
  }

  it('names the command that installs promtool if it is missing', async () => {
    expect(await verify()).toMatchObject({
      code: 1,
      output: expect.stringContaining('apt-get install prometheus'),
    });
  });

  it('checks the rules and runs every file of tests with promtool', async () => {
    standIn('echo "$@"');
    const { code, output } = await verify();
    expect(code).toBe(0);
    expect(output).toContain('check rules docker/prometheus/alerts.yaml');
    for (const name of readdirSync(join(DOCKER, 'prometheus', 'tests'))) {
      expect(output).toMatch(new RegExp(`test rules .*docker/prometheus/tests/${name}`));
    }
  });

  it.each(['check', 'test'])('fails when the %s of promtool fails', async (step) => {
    standIn(`[ "$1" != ${step} ]`);
    expect((await verify()).code).toBe(1);
  });
});

describe('npm run verify -- kubernetes', () => {
  const verify = () => run('verify', ['kubernetes'], folder);

  it('names its requirement where Go is missing or too old', async () => {
    const missing = { code: 1, output: expect.stringContaining('Go is not installed') };
    expect(await verify()).toMatchObject(missing);
    writeFileSync(join(folder, 'go'), `#!/bin/sh\necho go1.9.7\n`);
    chmodSync(join(folder, 'go'), 0o755);
    const old = { code: 1, output: expect.stringMatching(/Go 1\.9\.7 is too old.*Go 1\.\d+/) };
    expect(await verify()).toMatchObject(old);
  });
});

describe('npm run verify -- containers', () => {
  const verify = (...args: string[]) => run('verify', ['containers', ...args], folder);
  /** A docker with these versions; an empty version: the component is missing. */
  const standIn = (engine: string, compose: string) => {
    const say = (version: string) =>
      version ? `echo ${version}` : 'echo no such thing >&2; exit 1';
    const script = `#!/bin/sh\nif [ "$1" = version ]; then ${say(engine)}; else ${say(compose)}; fi\n`;
    writeFileSync(join(folder, 'docker'), script);
    chmodSync(join(folder, 'docker'), 0o755);
  };

  it('names its requirement where docker, its engine or Compose is missing or too old', async () => {
    const failsWith = (text: string) => ({ code: 1, output: expect.stringContaining(text) });
    expect(await verify()).toMatchObject(failsWith('docker is not installed'));
    standIn('', '2.30.0');
    const silent = 'Docker Engine 25.0.0 or later is needed, docker says: no such thing';
    expect(await verify()).toMatchObject(failsWith(silent));
    standIn('24.0.9', '2.30.0');
    expect(await verify()).toMatchObject(failsWith('Docker Engine 24.0.9 is too old: 25.0.0'));
    standIn('28.2.2', '');
    expect(await verify()).toMatchObject(failsWith('Compose 2.20.2 or later is needed'));
    standIn('28.2.2', 'v2.9.9');
    expect(await verify()).toMatchObject(failsWith('Compose 2.9.9 is too old: 2.20.2'));
  });

  it('refuses unknown options before it looks for an engine', async () => {
    const refused = { code: 1, output: expect.stringContaining('--seconds must be a number') };
    expect(await verify('--seconds', 'ten')).toMatchObject(refused);
    expect(await verify('--seconds', '3601')).toMatchObject(refused);
    const unknown = { code: 2, output: expect.stringContaining("unknown option '--hours'") };
    expect(await verify('--hours', '1')).toMatchObject(unknown);
  });
});
