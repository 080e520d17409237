import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inheritedEnvironment, ROOT, startSystem } from '@forecourt/testing/system';
import { examples, programs } from '../client-readme.js';
import { atAddresses } from '../documented-program.js';

/** What a new application consists of, and the public tools that look at the package, at exact versions. */
const SOURCE = fileURLToPath(new URL('../../client-package/', import.meta.url));
const PACKAGE = join(ROOT, 'packages', 'client');

/** An application in an empty folder outside of the repository, of somebody who has never installed anything. */
class NewApplication {
  readonly folder = mkdtempSync(join(tmpdir(), 'forecourt-client-package-'));

  constructor() {
    cpSync(SOURCE, this.folder, { recursive: true });
  }

  /** Installs packages, with neither the cache nor the settings of this user, but with this user's registry. */
  async install(...packages: readonly string[]): Promise<void> {
    const { stdout: registry } = await promisify(execFile)('npm', ['config', 'get', 'registry']);
    const own = { cache: join(this.folder, 'cache'), userconfig: join(this.folder, 'npmrc') };
    const settings = { ...own, registry: registry.trim() };
    const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    const minimal = ['--ignore-scripts', '--no-audit', '--no-fund'];
    await this.run('npm', ['install', ...packages, ...minimal, ...options]);
  }

  /**
   * Runs a program in the folder with its output shown. Without `env` it inherits everything, as npm must to reach its
   * registry. Throws when it ends with anything but 0.
   */
  async run(program: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<void> {
    process.stderr.write(`${program} ${args.join(' ')}\n`);
    const child = spawn(program, args, {
      cwd: this.folder,
      ...(env && { env: { ...inheritedEnvironment(), ...env } }),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${program} ended with ${code}`);
  }

  /** Runs a tool that is installed there. */
  tool(name: string, ...args: readonly string[]): Promise<void> {
    return this.run(join(this.folder, 'node_modules', '.bin', name), args);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Packs the client and answers the file's path. */
async function pack(destination: string): Promise<string> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: PACKAGE });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(destination, filename);
}

/** The package by itself: its form, and its types and code without anything beside it. */
async function verifyAlone(application: NewApplication, tarball: string): Promise<void> {
  await application.install(tarball);
  await application.tool('publint', '--strict', tarball);
  await application.tool('attw', tarball, '--profile', 'esm-only');
  await application.tool('tsc', '--project', 'tsconfig.alone.json');
  await application.run(process.execPath, ['alone.mts'], {});
}

/** The examples of its README, as they stand, with what the README says to install. */
async function verifyExamples(application: NewApplication): Promise<void> {
  await application.install('@iota/iota-sdk', 'ws');
  for (const [index, text] of examples.entries()) {
    writeFileSync(join(application.folder, `example-${index + 1}.mts`), text);
  }
  await application.tool('tsc', '--project', 'tsconfig.json');
}

/** The quick start, against a running system. */
async function verifyQuickStart(application: NewApplication): Promise<void> {
  const system = await startSystem();
  try {
    const program = atAddresses(programs[0]!, system.gatewayUrls[0]!, system.facts.ledgerUrl);
    writeFileSync(join(application.folder, 'sponsor.mjs'), program);
    await application.run(process.execPath, ['sponsor.mjs'], { TOKEN: system.token });
  } finally {
    await system.stop();
  }
}

const application = new NewApplication();
try {
  await verifyAlone(application, await pack(application.folder));
  await verifyExamples(application);
  await verifyQuickStart(application);
  process.stdout.write('the packed client installs, compiles and sponsors a transaction\n');
} finally {
  application.remove();
}
