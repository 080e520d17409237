import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '@forecourt/testing/system';
import ts from 'typescript';
import { sponsor } from './application.js';
import { atAddresses, programs } from './client-readme.js';
import { system } from './events-system.js';

const running: ChildProcess[] = [];

describe("the programs in the client's README", () => {
  afterAll(() => running.forEach((program) => program.kill()));

  it('are all found', () => expect(programs).toHaveLength(2));

  it('sponsor a transaction', async () => {
    const [, digest] = await lineOf(start(programs[0]!), /^success (\w+)$/);
    expect(await system.control.submissionsOf(digest!)).toBe(1);
  }, 60_000);

  it('show a past and a live event', async () => {
    await sponsor(system.application);
    let isShown = false;
    const shown = lineOf(start(programs[1]!), /^live .*checkpoint: \d+/).then(() => {
      isShown = true;
    });
    await Promise.all([
      shown,
      // Each transaction has a checkpoint; the subscription shows those that come after it.
      system.until(async () => {
        await sponsor(system.application);
        return isShown;
      }),
    ]);
  }, 60_000);
});

/** Runs a program as a reader would, with this system's addresses. */
function start(program: string): ChildProcess {
  const { url, token } = system.application;
  const text = atAddresses(program, url, system.ledgerUrl);
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const child = spawn(process.execPath, ['--input-type=module', '--eval', outputText], {
    cwd: ROOT,
    env: { ...process.env, TOKEN: token, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  return child;
}

/** The first line of a program's output that matches; throws when the program ends without one. */
async function lineOf(program: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  for await (const line of createInterface({ input: program.stdout! })) {
    const match = pattern.exec(line);
    if (match) return match;
  }
  throw new Error(`the program printed no line like ${String(pattern)}`);
}
