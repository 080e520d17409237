import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A package manager besides npm, as its users have it when they change nothing. */
export interface PackageManager {
  readonly name: string;
  /** Its package of npm, with the release. */
  readonly source: string;
  /** Its program in that package, which Node runs unless `isBinary`. */
  readonly program: string;
  readonly isBinary?: boolean;
  readonly add: readonly string[];
  /** Runs a command of an installed package. */
  readonly exec: readonly string[];
}

/** Yarn installs with Plug'n'Play, pnpm with links into a store. */
export const PACKAGE_MANAGERS: readonly PackageManager[] = [
  {
    name: 'Yarn 4',
    source: '@yarnpkg/cli-dist@4.18.1',
    program: '@yarnpkg/cli-dist/bin/yarn.js',
    add: ['add'],
    exec: ['run'],
  },
  {
    name: 'pnpm',
    source: 'pnpm@10.34.9',
    program: 'pnpm/bin/pnpm.cjs',
    add: ['add'],
    exec: ['exec'],
  },
  {
    name: 'Bun',
    source: `@oven/bun-${process.platform}-${process.arch}@1.4.5`,
    program: `@oven/bun-${process.platform}-${process.arch}/bin/bun`,
    isBinary: true,
    add: ['add'],
    exec: ['run'],
  },
];

interface StartOptions {
  readonly root: string;
  readonly node: string;
  readonly packed: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Adds the packed station to an empty project with a package manager, starts it there, and returns the last
 * line of its standard output. `node`: the first on the PATH; `env`: what the machine needs to reach the
 * registry. Throws `Error` with the output of a step that fails.
 */
export async function startWith(
  manager: PackageManager,
  { root, node, packed, env: ofThisMachine }: StartOptions,
): Promise<string> {
  const tools = join(root, `${basename(manager.program)}-tools`);
  await run('npm', ['install', '--prefix', tools, '--no-audit', '--no-fund', manager.source]);
  const folder = join(root, `${basename(manager.program)}-project`);
  const home = `${folder}-home`;
  for (const path of [folder, home]) mkdirSync(path, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "project", "private": true }\n');
  // A separate project, wherever the folder is.
  if (manager.name.startsWith('Yarn')) writeFileSync(join(folder, 'yarn.lock'), '');
  const program = join(tools, 'node_modules', manager.program);
  const command = manager.isBinary ? [program] : [node, program];
  const give = async (...args: readonly string[]): Promise<string> => {
    const [file = '', ...rest] = [...command, ...args];
    const path = `${join(node, '..')}:${process.env['PATH']}`;
    const env = { ...ofThisMachine, PATH: path, HOME: home, CI: '1' };
    const options = { cwd: folder, env, maxBuffer: 2 ** 26 };
    try {
      return (await run(file, rest, options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${manager.name}, ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error });
    }
  };
  await give(...manager.add, packed);
  return (await give(...manager.exec, 'forecourt', 'start', '--once')).trim().split('\n').at(-1)!;
}
