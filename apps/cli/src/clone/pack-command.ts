import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../workspace/failure.js';
import { prepare } from '../workspace/prepare.js';
import { runProgram } from '../workspace/run-program.js';
import { DATA_FOLDER, environment, ROOT, toolEnvironment } from '../workspace/workspace-config.js';
import { packClient } from './pack-client-command.js';
import { packPages } from './pack-pages.js';
import { listVariableNames, VARIABLE_NAMES } from '../setup/service-variables.js';

const APPS = ['gateway', 'coin-pool', 'executor', 'events', 'history', 'station', 'devnet', 'cli'];

/** Files that the bundles read, at the same paths as in the repository. */
const ASSETS = [
  ...APPS.map((app) => `apps/${app}/dist/bundle`),
  'apps/console/dist',
  'apps/events/sql',
  'apps/history/sql',
  'packages/coin-store/lua',
  'packages/runtime/lua',
  'test-e2e/testing/bin',
  'docker/redis/users.acl.template',
];

/** The page of the API loads these. */
const SWAGGER_UI = [
  'package.json',
  'LICENSE',
  'NOTICE',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];

type Manifest = Readonly<Record<string, unknown>> & {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

const readManifest = (...path: string[]) =>
  JSON.parse(readFileSync(join(ROOT, ...path, 'package.json'), 'utf8')) as Manifest;

/** `npm run pack`. */
export function packCommand(command: Command): Command {
  return command
    .option('--out <folder>', 'the folder of the files', '.')
    .addHelpText(
      'after',
      `
Makes forecourt-<version>.tgz, with the command line, every service, devnet and the console, and
forecourt-client-<version>.tgz. Both are what npm install, npx and the image take. Installs and builds what is needed first.`,
    )
    .action(async ({ out }: { readonly out: string }) => {
      process.stdout.write(`${await packInto(resolve(out))}\n`);
      await packClient({ out });
    });
}

/**
 * Builds everything and packs it into a folder; resolves with the file. The package holds bundles, so that it
 * needs no other package but PostgreSQL and Node for systems that have none. Throws `Failure`.
 */
export async function packInto(out: string): Promise<string> {
  await prepare();
  const folder = join(DATA_FOLDER, 'package');
  rmSync(folder, { recursive: true, force: true });
  for (const path of ASSETS) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  packPages(folder);
  copySwaggerUi(join(folder, 'node_modules', 'swagger-ui-dist'));
  await writeManifests(folder);
  writeLicences(folder);
  cpSync(join(ROOT, 'apps/cli/bin/package.mjs'), join(folder, 'bin', 'forecourt.mjs'));
  mkdirSync(out, { recursive: true });
  const pack = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', out];
  const output = await runTool('npm', pack, folder);
  return join(out, output.trim());
}

function copySwaggerUi(folder: string): void {
  const { resolve: find } = createRequire(join(ROOT, 'apps', 'gateway', 'package.json'));
  const source = dirname(find('swagger-ui-dist/package.json'));
  for (const file of SWAGGER_UI) cpSync(join(source, file), join(folder, file));
}

async function writeManifests(folder: string): Promise<void> {
  const { name, version, description, license, type, engines, optionalDependencies } =
    readManifest();
  writeJson(join(folder, 'package.json'), {
    name,
    version,
    description,
    license,
    type,
    engines,
    // Yarn keeps packages in archives, from which no program can be started.
    preferUnplugged: true,
    bin: { forecourt: 'bin/forecourt.mjs' },
    dependencies: { 'swagger-ui-dist': '*' },
    bundleDependencies: ['swagger-ui-dist'],
    optionalDependencies: {
      ...optionalDependencies,
      ...readManifest('packages', 'postgres').optionalDependencies,
    },
  });
  writeJson(join(folder, VARIABLE_NAMES), await listVariableNames());
  // Services read their version from it.
  writeJson(join(folder, 'packages', 'runtime', 'package.json'), {
    version,
    gitHead: headCommit(),
  });
}

interface Licensed {
  readonly name: string;
  readonly licence: string;
  readonly texts: readonly string[];
}

/** Joins the licences of all bundles in one file: the bundles hold the code of these packages. */
function writeLicences(folder: string): void {
  const found = new Map<string, Licensed>();
  for (const path of ASSETS.filter((asset) => asset.endsWith('/dist/bundle'))) {
    const file = join(folder, path, 'licences.json');
    for (const one of JSON.parse(readFileSync(file, 'utf8')) as Licensed[])
      found.set(one.name, one);
    rmSync(file);
  }
  const parts = [...found.values()]
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ name, licence, texts }) => [`${name} (${licence})`, ...texts].join('\n\n'));
  writeFileSync(
    join(folder, 'THIRD-PARTY-LICENCES.txt'),
    `${parts.join(`\n${'-'.repeat(80)}\n`)}\n`,
  );
}

/** The commit of the clone; empty where it is none, or has changes. */
function headCommit(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  const isClean = git('status', '--porcelain').stdout === '';
  return environment['BUILD_COMMIT'] || (isClean ? git('rev-parse', 'HEAD').stdout.trim() : '');
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

async function runTool(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, output } = await runProgram(program, args, {
    cwd,
    env: toolEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (code !== 0) throw new Failure(`${program} ended with ${code}:\n${output}`);
  return output;
}
