import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '@forecourt/testing/system';
import { describe, expect, it } from '@jest/globals';

const ESLINT = join(ROOT, 'node_modules', 'eslint', 'bin', 'eslint.js');
const CONTROLLER = 'apps/gateway/src/operations/service-info.controller.ts';
const PRIVATE = 'this is private to the object of another';
const UNDECLARED = 'Declare who may use this route';
const NO_OP_SPREAD = 'spreading a literal does nothing';
const CAST_TO_NEVER = 'a cast to never fits everywhere';

/** Lints `source` in the place of that file, and returns the report. */
async function lint(file: string, source: string): Promise<string> {
  const args = [ESLINT, '--stdin', '--stdin-filename', join(ROOT, file)];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(source);
  return text(child.stdout);
}

const SPREADS = `
export const a = { ...{ a: 1 } };
export const b = [...[1, 2]];
export const c = Math.max(...[1, 2]);
export const d = [...b, ...(c ? [1] : [])];
`;

const CONTROLLER_SOURCE = `
import { Controller, Get } from '@nestjs/common';
import { Public } from '@forecourt/runtime/service';
${SPREADS}
export const e = { ...({ a: 1 } as const) };
@Controller()
export class Sample {
  @Get('/undeclared')
  undeclared(): string {
    return 'undeclared';
  }
  @Get('/declared')
  @Public()
  declared(): string {
    return 'declared';
  }
}
`;

const PRIVATE_PARTS = `
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
export function sample(server: Server, socket: Socket & { _handle: object; parser: object }) {
  const { _handle: handle } = socket;
  const { parser } = socket;
  return [handle, parser, socket._handle, socket['_handle'], socket.listeners('data')[0], server.rawListeners('request')];
}
`;

const NAMES = `
import { text } from 'node:stream/consumers';
import { Linter } from 'eslint';
import { parser } from 'typescript-eslint';
import config from './eslint.config.js';
const rules = config.filter(({ plugins }) => plugins?.forecourt);
const all = [{ files: ['**/*.ts'], languageOptions: { parser } }, ...rules];
const files = JSON.parse(await text(process.stdin));
const linted = files.map(([file, source]) => new Linter().verify(source, all, file));
process.stdout.write(JSON.stringify(linted.map((faults) => faults.map(({ message }) => message))));
`;

/** Lints texts under names of files that need not exist, by the rules about names. */
async function lintNames(...files: [file: string, source: string][]): Promise<string[][]> {
  const args = ['--input-type=module', '--eval', NAMES];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(files));
  return JSON.parse(await text(child.stdout)) as string[][];
}

const count = (report: string, text: string) => report.split(text).length - 1;

describe('lint', () => {
  it('reports a route that does not declare who may use it, and spreads of literals', async () => {
    const report = await lint(CONTROLLER, CONTROLLER_SOURCE);
    expect([count(report, UNDECLARED), count(report, NO_OP_SPREAD)]).toEqual([1, 4]);
  });

  it.each([
    'apps/gateway/src/main.ts',
    'packages/client/src/index.ts',
    'test-e2e/src/chaos/tally.ts',
  ])('reports casts to never in %s', async (file) => {
    const report = await lint(file, 'export const a: string = JSON.parse("1") as never;');
    expect(count(report, CAST_TO_NEVER)).toBe(1);
  });

  it.each(['apps/gateway/src/main.ts', 'packages/admission/src/listeners/connection-places.ts'])(
    'reports private parts of Node in %s',
    async (file) => {
      const report = await lint(file, PRIVATE_PARTS);
      expect([count(report, PRIVATE), count(report, 'is restricted from being used')]).toEqual([
        3, 3,
      ]);
    },
  );

  it('reports private fields and #methods, and no field with #, parameter or private method', async () => {
    const source = `
      export class Sample {
        readonly #kept = 1;
        private other = 2;
        constructor(private readonly given: number) {}
        private sum() { return this.#kept + this.other + this.given; }
        #twice() { return 2 * this.sum(); }
        read() { return this.#twice(); }
      }`;
    const report = await lint('packages/client/src/index.ts', source);
    expect([count(report, 'Write #name'), count(report, 'Write private')]).toEqual([1, 1]);
  });

  it('reports a hook that a module of several test files registers', async () => {
    const source = `import { afterEach } from '@jest/globals';\nafterEach(() => undefined);`;
    const report = await lint('packages/ledger/src/iota/grpc/raw-node.test-support.ts', source);
    expect(count(report, 'call it in each test file')).toBe(1);
  });

  it('reports exported classes in files of other names, except records of messages', async () => {
    const fault = 'Give the class a file of its name.';
    const access = 'apps/gateway/src/access';
    expect(
      await lintNames(
        [`${access}/pauses.ts`, 'export class Pauses {}'],
        [`${access}/pauses.ts`, 'export class Pauses {}\nexport class Pause {}'],
        ['apps/coin-pool/src/messages/claims.service.ts', 'export class ClaimsService {}'],
        ['packages/ledger/src/coins.ts', 'export class CoinsMissing extends Error {}'],
        ['packages/ledger/src/coins.ts', 'class Sum {}\nexport const coins = new Sum();'],
        ['test-e2e/src/chaos/tally.test-support.ts', 'export abstract class Sum {}'],
        ['packages/contracts/src/messages/reserve-gas.ts', 'export class A {}'],
      ),
    ).toEqual([[], [fault], [], [fault], [], [fault], []]);
  });

  it('reports unit tests without a source of their name beside them', async () => {
    const fault =
      'Name the test after its source beside it: <source>.test.ts, <source>.<aspect>.test.ts.';
    const access = 'apps/gateway/src/access';
    expect(
      await lintNames(
        [`${access}/pauses.test.ts`, ''],
        [`${access}/pauses.failover.long.test.ts`, ''],
        [`${access}/pauses-of-tokens.test.ts`, ''],
        ['apps/gateway/src/operations/fleet.test.ts', ''],
        ['apps/gateway/src/access.test.ts', ''],
        ['packages/ledger/src/coins-that-change.long.test.ts', ''],
        ['test-e2e/src/chaos/any-name.test.ts', ''],
      ),
    ).toEqual([[], [], [fault], [], [], [fault], []]);
  });

  it('reports spreads of literals in scripts', async () => {
    const report = await lint('apps/cli/bin/forecourt.mjs', SPREADS);
    expect(count(report, NO_OP_SPREAD)).toBe(3);
  });
});
