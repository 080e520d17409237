import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { ROOT } from '@forecourt/testing/system';
import { afterEach, expect, it } from '@jest/globals';
import { PROGRAMS } from './checks/named-commands.js';

const PROGRAM = 'apps/cli/bin/forecourt.mjs';
/** Installs as npm does: it takes time, and two at once would mix their lines. */
const NPM = `
  const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
  appendFileSync('log', 'begin ');
  setTimeout(() => {
    mkdirSync('node_modules/turbo/bin', { recursive: true });
    writeFileSync('node_modules/turbo/bin/turbo', ${JSON.stringify(`
      const { mkdirSync, writeFileSync } = require('node:fs');
      mkdirSync('apps/cli/dist/bundle', { recursive: true });
      writeFileSync('apps/cli/dist/bundle/forecourt.js', '');
    `)});
    writeFileSync('node_modules/.package-lock.json', '{}');
    appendFileSync('log', 'end ');
  }, 500);
`;

let files: TemporaryFolder;
afterEach(() => files.remove());

/** A clone in which nothing is installed. */
function newClone() {
  files = new TemporaryFolder();
  for (const name of ['package-lock.json', 'package.json']) files.write(name, '{}');
  files.write('npm-cli.js', NPM);
  for (const path of [PROGRAM, 'apps/cli/src']) {
    mkdirSync(dirname(files.pathOf(path)), { recursive: true });
    cpSync(join(ROOT, path), files.pathOf(path), { recursive: true });
  }
  const env = { PATH: process.env['PATH'], npm_execpath: files.pathOf('npm-cli.js') };
  return {
    start: () =>
      spawn(process.execPath, [files.pathOf(PROGRAM), 'status'], { env, stdio: 'ignore' }),
    run: (...args: readonly string[]) =>
      execFileSync(process.execPath, [files.pathOf(PROGRAM), ...args], { env, encoding: 'utf8' }),
    log: () => readFileSync(files.pathOf('log'), 'utf8'),
  };
}

it('commands that are given at the same time in a new clone install it once', async () => {
  const clone = newClone();
  const ended = [clone.start(), clone.start(), clone.start()].map((one) => once(one, 'exit'));
  expect(await Promise.all(ended)).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ]);
  expect(clone.log()).toBe('begin end ');
});

it.each(['--help', 'help', '', 'start --help', 'verify chart -h'])(
  'the list of commands needs nothing that is installed: forecourt %s',
  (args) => {
    const clone = newClone();
    const output = clone.run(...args.split(' ').filter(Boolean));
    for (const name of PROGRAMS['forecourt']!)
      expect(output).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(existsSync(files.pathOf('log'))).toBe(false);
  },
);

it('commands that wait for one that was killed install one after the other', async () => {
  const killed = spawn(process.execPath, ['-e', '0']);
  await once(killed, 'exit');
  for (let round = 0; round < 6; round++) {
    const clone = newClone();
    mkdirSync(files.pathOf('.data'));
    files.write('.data/installing', String(killed.pid));
    const ended = Array.from({ length: 5 }, () => once(clone.start(), 'exit'));
    for (const end of await Promise.all(ended)) expect(end).toEqual([0, null]);
    expect(clone.log()).toBe('begin end ');
    expect(readdirSync(files.pathOf('.data'))).toEqual([]);
    files.remove();
  }
});

it.each([
  ['while it installed', ({ pid }: { pid?: number }) => String(pid)],
  ['before it had written its number', () => ''],
  ['with a machine that lost what it wrote', () => '\0\0\0\0'],
])('a command installs after one that was killed %s', async (_, contentOf) => {
  const clone = newClone();
  mkdirSync(files.pathOf('.data'));
  const killed = spawn(process.execPath, ['-e', '0']);
  await once(killed, 'exit');
  files.write('.data/installing', contentOf(killed));
  const signal = AbortSignal.timeout(20_000);
  const command = clone.start();
  try {
    expect(await once(command, 'exit', { signal })).toEqual([0, null]);
  } finally {
    command.kill();
  }
  expect(clone.log()).toBe('begin end ');
  expect(readdirSync(files.pathOf('.data'))).toEqual([]);
});
