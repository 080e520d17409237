import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '@forecourt/testing/system';

/** The packages of a new application, and the public tools that examine our package, at exact versions. */
const SOURCE = fileURLToPath(new URL('../../../client-package/', import.meta.url));
/** The oldest Node that the package supports, as a package of npm. */
const OLDEST = { name: `node-${process.platform}-${process.arch}`, version: '20.19.0' };

/**
 * An application in an empty folder outside of the repository, of somebody who has never installed anything.
 */
export class NewApplication {
  readonly folder = mkdtempSync(join(tmpdir(), 'forecourt-client-package-'));

  constructor() {
    cpSync(SOURCE, this.folder, { recursive: true });
  }

  /**
   * Installs packages, with neither the cache nor the settings of this user, but with this user's registry.
   */
  async install(...packages: readonly string[]): Promise<void> {
    const { stdout: registry } = await promisify(execFile)('npm', ['config', 'get', 'registry']);
    const own = { cache: join(this.folder, 'cache'), userconfig: join(this.folder, 'npmrc') };
    const settings = { ...own, registry: registry.trim() };
    const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    const minimal = ['--ignore-scripts', '--no-audit', '--no-fund'];
    await this.run('npm', ['install', ...packages, ...minimal, ...options]);
  }

  /** The oldest Node that is supported: its path. */
  async oldestNode(): Promise<string> {
    await this.install('--no-save', `${OLDEST.name}@${OLDEST.version}`);
    return join(this.folder, 'node_modules', OLDEST.name, 'bin', 'node');
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /**
   * Runs a program in the folder with its output shown. Without `env` it inherits everything, as npm must to
   * reach its registry. Throws when it ends with anything but 0.
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

  /** Starts a program in the folder that goes on until it is killed. */
  start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
    return spawn(program, args, {
      cwd: this.folder,
      env: { ...inheritedEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  /** Runs a tool that is installed there. */
  tool(name: string, ...args: readonly string[]): Promise<void> {
    return this.run(join(this.folder, 'node_modules', '.bin', name), args);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
