import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, relative } from 'node:path';
import { Failure } from './failure.js';

/** The folder of the repository, or that of the package, which has the same form. */
export const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/**
 * Whether this is a clone of the repository, which is built before it runs; otherwise it is the built
 * package.
 */
export const IS_CLONE = existsSync(join(ROOT, 'turbo.json'));

/** The folder in which the user gave the command; npm itself runs scripts of a clone at the root. */
export const CALLER_FOLDER = (IS_CLONE && process.env['INIT_CWD']) || process.cwd();

/** How a user gives a command of the command line here. */
export const COMMAND = IS_CLONE ? 'npm run forecourt --' : 'npx forecourt';

/** Where a page of `docs` is, as seen from a folder. */
export function pageFrom(folder: string, page: string): string {
  const file = join(ROOT, 'docs', page);
  const near = relative(folder, file);
  return near.startsWith('..') ? file : near;
}

/** The folder of `npm start` for keys, logs and data. */
export const DATA_FOLDER =
  process.env['FORECOURT_DATA'] || join(IS_CLONE ? ROOT : CALLER_FOLDER, '.data');

/** The program of every command. */
export const FORECOURT = join(ROOT, 'apps', 'cli', 'dist', 'bundle', 'forecourt.js');

/** The environment of this command, for programs that it runs. */
export const environment: NodeJS.ProcessEnv = process.env;

/** The environment in which installed programs, and the packaged Node, come first. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const path = [join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  return { ...process.env, PATH: path };
}

/** Commander needs it, and services and devnet `node:sqlite` without a flag. */
const OLDEST_NODE = [22, 13] as const;

/**
 * The Node that came with the dependencies, or the running one if none is packaged for this platform. Throws
 * `Failure` where that one is too old.
 */
export function chooseNode(): string {
  const packaged = findPackagedNode();
  if (packaged !== null && spawnSync(packaged, ['--version']).status === 0) return packaged;
  requireNode(process.versions.node);
  return process.execPath;
}

function findPackagedNode(): string | null {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return join(folder, 'bin', isWindows ? 'node.exe' : 'node');
  } catch {
    return null;
  }
}

/** Whether this Node can run all commands and services. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** Throws `Failure` that names the version which is needed where no Node is packaged. */
export function requireNode(version: string): void {
  if (isNewEnough(version)) return;
  const { platform, arch } = process;
  throw new Failure(
    `No Node is packaged for this system (${platform} ${arch}), where Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${version}`,
  );
}

/** Lets this command use the system that `npm start` runs, except where the environment names another. */
export function useRunningSystem(): void {
  Object.assign(environment, { ...readRunningSystem(), ...environment });
}

/** The variables of the system that `npm start` runs; none while it does not run. */
export function readRunningSystem(): NodeJS.ProcessEnv {
  const file = join(DATA_FOLDER, 'running.json');
  if (!existsSync(file)) return {};
  const { variables } = JSON.parse(readFileSync(file, 'utf8')) as { variables: NodeJS.ProcessEnv };
  return variables;
}
