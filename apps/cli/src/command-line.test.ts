import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { appProgram } from '@forecourt/testing/system';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PROGRAMS } from './checks/named-commands.js';
import ofClone from './clone/commands.json' with { type: 'json' };
import groups from './commands.json' with { type: 'json' };
import { run } from './stand-in-station.test-support.js';
import { runProgram } from './workspace/run-program.js';

const BUNDLE = dirname(appProgram('cli', 'forecourt.js'));
const ofPackage = new TemporaryFolder();
afterAll(() => ofPackage.remove());

/** Runs the command line where no clone is around it. */
function runPackaged(...args: readonly string[]) {
  const folder = ofPackage.pathOf('apps/cli/dist/bundle');
  cpSync(BUNDLE, folder, { recursive: true });
  return runProgram(process.execPath, [join(folder, 'forecourt.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

describe('the list of commands', () => {
  it('has those of a clone in a clone', async () => {
    const { exitCode, stdout } = await run(['--help']);
    expect(exitCode).toBe(0);
    for (const [title, commands] of Object.entries({ ...groups, ...ofClone })) {
      const names = Object.keys(commands).map((name) => `  ${name} [^]*`);
      expect(stdout).toMatch(new RegExp(`^${title}\n[^]*${names.join('')}`, 'm'));
    }
  });

  it('has none of a clone in the package, which holds nothing of them', async () => {
    const { code, output } = await runPackaged('--help');
    expect([code, output]).toEqual([0, expect.stringMatching(/^ {2}serve /m)]);
    for (const name of Object.values(ofClone).flatMap((commands) => Object.keys(commands))) {
      expect(output).not.toMatch(new RegExp(`^  ${name} `, 'm'));
    }
    const texts = readdirSync(BUNDLE).map((file) => readFileSync(join(BUNDLE, file), 'utf8'));
    expect(texts.filter((text) => text.includes('console-screenshots'))).toEqual([]);
    expect(await runPackaged('bench')).toMatchObject({
      code: 2,
      output: expect.stringContaining("unknown command 'bench'"),
    });
  });
});

describe('the completion', () => {
  it('has every command, and the names and options of what each runs', async () => {
    const { stdout } = await run(['completion', 'bash']);
    const [, names = ''] = /compgen -W "([^"]+)"/.exec(stdout) ?? [];
    expect(names.split(' ')).toEqual(PROGRAMS['forecourt']);
    for (const script of ['bench', 'soak', 'verify']) {
      expect(stdout).toContain(
        ` ${script}) COMPREPLY=($(compgen -W "${PROGRAMS[script]!.join(' ')} --help"`,
      );
    }
    expect(stdout).toContain(' start) COMPREPLY=($(compgen -W "--once --processes ');
  });
});

describe('a mistake', () => {
  it.each([
    [['statsu'], 'status'],
    [['start', '--proceses', 'one'], '--processes'],
    [['verify', 'chrt'], 'chart'],
    [['pack', '--oot', 'x'], '--out'],
  ])('ends with 2 and names what was meant: %j', async (args, meant) => {
    const { exitCode, output } = await run(args);
    expect([exitCode, output]).toEqual([2, expect.stringContaining(`Did you mean ${meant}?`)]);
  });

  it.each([
    [['start', '--processes', 'two'], 'one, separate'],
    [['serve', 'gatewy'], 'gateway, coin-pool, executor'],
    [['check', '--service', 'gatewy'], 'gateway, coin-pool, executor'],
    [['test', '--ledger', 'x'], 'json-rpc, grpc'],
  ])('ends with 2 and names what may be given: %j', async (args, choices) => {
    const { exitCode, output } = await run(args);
    expect([exitCode, output]).toEqual([2, expect.stringContaining(choices)]);
  });
});
