#!/usr/bin/env node
/**
 * The command `forecourt` of a clone: installs dependencies and builds where necessary, then runs the command in the launcher. Only
 * this file runs before anything is installed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = [20, 19];
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const MODULES = join(ROOT, 'node_modules');
const SOURCES = join(ROOT, 'packages', 'launcher', 'src');
const LAUNCHER = join(ROOT, 'packages', 'launcher', 'dist', 'launcher.js');

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  stop(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}`);
}

/** Installs the packages of the lockfile, unless this lockfile is installed already. */
function installDependencies() {
  const lock = join(ROOT, 'package-lock.json');
  const stamp = join(MODULES, '.installed-lockfile');
  const wanted = createHash('sha256').update(readFileSync(lock)).digest('hex');
  if (existsSync(stamp) ? readFileSync(stamp, 'utf8') === wanted : isInstalledByHand(lock)) {
    return;
  }
  say('installing dependencies (npm ci), then building: two to three minutes the first time …');
  const script = process.env.npm_execpath;
  const [program, ...npm] = script?.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  run('npm ci', program, [...npm, 'ci', ...flags, '--loglevel=error'], [2, 2]);
  writeFileSync(stamp, wanted);
}

/** Whether npm was run after the lockfile was last written: npm writes this file when it is done. */
function isInstalledByHand(lock) {
  const written = statSync(join(MODULES, '.package-lock.json'), { throwIfNoEntry: false });
  return written !== undefined && written.mtimeMs >= statSync(lock).mtimeMs;
}

/** Builds everything if the launcher is not built, or older than its sources. */
function buildLauncher() {
  const builtAt = statSync(LAUNCHER, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(SOURCES, { recursive: true });
  if (sources.every((file) => statSync(join(SOURCES, file)).mtimeMs <= builtAt)) return;
  say('building the launcher …');
  const turbo = [join(MODULES, 'turbo', 'bin', 'turbo'), 'run', 'build'];
  const flags = ['--filter=@forecourt/launcher', '--output-logs=errors-only', '--ui=stream'];
  run('the build', process.execPath, [...turbo, ...flags], ['pipe', 'pipe']);
  utimesSync(LAUNCHER, new Date(), new Date());
}

function run(name, program, args, [stdout, stderr]) {
  const PATH = [join(MODULES, '.bin'), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' };
  const ended = spawnSync(program, args, { cwd: ROOT, env, stdio: ['ignore', stdout, stderr] });
  if (ended.status === 0) return;
  stop(`${name} failed:\n${ended.error ?? ''}${ended.stdout ?? ''}${ended.stderr ?? ''}`);
}

const say = (text) => process.stderr.write(`${text}\n`);

function stop(reason) {
  say(reason);
  process.exit(1);
}

requireNode();
installDependencies();
buildLauncher();
const { runLauncher } = await import(LAUNCHER);
process.exitCode = await runLauncher(process.argv.slice(2));
