#!/usr/bin/env node
/**
 * The command `forecourt` of a clone: installs dependencies and builds where necessary, then runs the command in the launcher. Only
 * this file runs before anything is installed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
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
/** The process that installs or builds. */
const TURN = join(ROOT, '.data', 'installing');
const LAUNCHER = join(ROOT, 'packages', 'launcher', 'dist', 'launcher.js');

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  stop(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}`);
}

/**
 * Installs and builds what is needed, alone among the commands of this clone: two that install at once destroy each other's
 * work. A command that was killed in the meantime leaves the file, but does not run.
 */
function prepare() {
  if (isInstalled() && isLauncherBuilt()) return;
  mkdirSync(dirname(TURN), { recursive: true });
  for (let isFirst = true; !takeTurn(); isFirst = false) {
    if (isFirst) say('waiting for another command, which installs or builds …');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  if (!isInstalled()) installDependencies();
  if (!isLauncherBuilt()) buildLauncher();
  rmSync(TURN, { force: true });
}

function takeTurn() {
  try {
    writeFileSync(TURN, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    process.kill(Number(readFileSync(TURN, 'utf8')), 0);
  } catch {
    rmSync(TURN, { force: true });
  }
  return false;
}

const LOCK = join(ROOT, 'package-lock.json');
const STAMP = join(MODULES, '.installed-lockfile');
const wantedStamp = () => createHash('sha256').update(readFileSync(LOCK)).digest('hex');

/** Whether the packages of this lockfile are installed. */
function isInstalled() {
  return existsSync(STAMP) ? readFileSync(STAMP, 'utf8') === wantedStamp() : isInstalledByHand();
}

function installDependencies() {
  say('installing dependencies (npm ci), then building: two to three minutes the first time …');
  const script = process.env.npm_execpath;
  const [program, ...npm] = script?.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  run('npm ci', program, [...npm, 'ci', ...flags, '--loglevel=error'], [2, 2]);
  writeFileSync(STAMP, wantedStamp());
}

/** Whether npm was run after the lockfile was last written: npm writes this file when it is done. */
function isInstalledByHand() {
  const written = statSync(join(MODULES, '.package-lock.json'), { throwIfNoEntry: false });
  return written !== undefined && written.mtimeMs >= statSync(LOCK).mtimeMs;
}

/** Whether the launcher is newer than its sources. */
function isLauncherBuilt() {
  const builtAt = statSync(LAUNCHER, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(SOURCES, { recursive: true });
  return sources.every((file) => statSync(join(SOURCES, file)).mtimeMs <= builtAt);
}

function buildLauncher() {
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
prepare();
const { runLauncher } = await import(LAUNCHER);
process.exitCode = await runLauncher(process.argv.slice(2));
