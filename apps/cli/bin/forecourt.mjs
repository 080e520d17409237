#!/usr/bin/env node
/**
 * The command `forecourt` of a clone: installs dependencies and builds where necessary, then runs the command.
 * Only this file runs before anything is installed, so it reads the environment itself.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
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
const SOURCES = join(ROOT, 'apps', 'cli', 'src');
/** The process that installs or builds. */
const TURN = join(ROOT, '.data', 'installing');
const COMMAND_LINE = join(ROOT, 'apps', 'cli', 'dist', 'bundle', 'forecourt.js');

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  stop(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}`);
}

/** The names of all commands, while nothing is built that knows more about them. */
function listCommands() {
  const groups = ['commands.json', join('clone', 'commands.json')].flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(join(SOURCES, file), 'utf8'))),
  );
  const texts = groups.map(([title, commands]) => {
    const lines = Object.entries(commands).map(([name, about]) => `  ${name.padEnd(20)} ${about}`);
    return [title, ...lines, ''].join('\n');
  });
  return `Usage: npm run forecourt -- <command> [options]\n\n${texts.join('\n')}
Nothing is built yet: the first command installs and builds. Then --help explains each command.\n`;
}

/**
 * Installs and builds what is needed, alone among the commands of this clone: two that install at once destroy each other's
 * work.
 */
function prepare() {
  mkdirSync(dirname(TURN), { recursive: true });
  for (let isFirst = true; !take(TURN); isFirst = false) {
    if (isFirst) say('waiting for another command, which installs or builds …');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  if (!isInstalled()) installDependencies();
  if (!isBuilt()) build();
  rmSync(TURN, { force: true });
}

/**
 * Makes the file, which names its process, unless another process has it. It appears with its content: one that names no process
 * is what a broken disk left. The file of a process that was killed is replaced, and never absent meanwhile, by the only process
 * that has taken the file with the right to do so: another one may have replaced it.
 */
function take(file) {
  const own = `${file}-of-${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(own);
  }
  const content = readIfPresent(file);
  const holder = Number(content) || 0;
  if (content === null || (holder > 0 && isAlive(holder))) return false;
  const right = `${file}-after-${holder}`;
  if (!take(right)) return false;
  const isLeft = readIfPresent(file) === content;
  // The right itself becomes the file: both name this process.
  if (isLeft) renameSync(right, file);
  else rmSync(right);
  return isLeft;
}

function readIfPresent(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
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

/** Whether the command line is newer than its sources. */
function isBuilt() {
  const builtAt = statSync(COMMAND_LINE, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(SOURCES, { recursive: true });
  return sources.every((file) => statSync(join(SOURCES, file)).mtimeMs <= builtAt);
}

function build() {
  say('building the command line …');
  const turbo = [join(MODULES, 'turbo', 'bin', 'turbo'), 'run', 'build'];
  const flags = ['--filter=@forecourt/cli', '--output-logs=errors-only', '--ui=stream'];
  run('the build', process.execPath, [...turbo, ...flags], ['pipe', 'pipe']);
  utimesSync(COMMAND_LINE, new Date(), new Date());
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
const [first = 'help', ...others] = process.argv.slice(2);
const asksForHelp = ['help', '--help', '-h'].some((one) => [first, ...others].includes(one));
if (asksForHelp && !(isInstalled() && existsSync(COMMAND_LINE))) {
  process.stdout.write(listCommands());
  process.exit();
}
if (!isInstalled() || !isBuilt()) prepare();
await import(COMMAND_LINE);
