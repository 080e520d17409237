import type { ChildProcess } from 'node:child_process';
import { afterAll } from '@jest/globals';
import { atAddresses, startProgram } from './documented-program.js';
import type { TestSystem } from './test-system.js';

/** Starts documented programs at a system's addresses, and kills them after the tests of the block. */
export function usePrograms(
  system: TestSystem,
): (program: string, stderr?: 'inherit' | 'pipe') => ChildProcess {
  const running: ChildProcess[] = [];
  afterAll(() => running.forEach((program) => program.kill()));
  return (program, stderr) => {
    const { url, token } = system.application;
    const child = startProgram(
      atAddresses(program, url, system.ledgerUrl),
      { TOKEN: token },
      stderr,
    );
    running.push(child);
    return child;
  };
}
