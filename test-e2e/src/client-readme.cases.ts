import type { ChildProcess } from 'node:child_process';
import { afterAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { sponsor } from './application.js';
import { atAddresses, programs } from './client-readme.js';
import { lineOf, startProgram } from './documented-program.js';
import { system } from './events-system.js';

const running: ChildProcess[] = [];

describe("the programs in the client's README", () => {
  afterAll(() => running.forEach((program) => program.kill()));

  it('are all found', () => expect(programs).toHaveLength(2));

  it('sponsor a transaction', async () => {
    const [, digest] = await lineOf(start(programs[0]!).stdout!, /^success (\w+)$/);
    expect(await system.control.submissionsOf(digest!)).toBe(1);
  }, 60_000);

  it('show a past and a live event', async () => {
    await sponsor(system.application);
    let isShown = false;
    const shown = lineOf(start(programs[1]!).stdout!, /^live .*checkpoint: \d+/).then(() => {
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

/** Starts a program with this system's addresses. */
function start(program: string): ChildProcess {
  const { url, token } = system.application;
  const text = atAddresses(program, url, system.ledgerUrl);
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const child = startProgram(outputText, token);
  running.push(child);
  return child;
}
