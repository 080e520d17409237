import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@forecourt/testing/jest';
import { startDevnet } from '../support/start-devnet.js';

const FORECOURT = fileURLToPath(
  new URL('../../../packages/launcher/bin/forecourt.mjs', import.meta.url),
);

const devnet = useStarted(startDevnet, (started) => started.stop());

function doctor(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [FORECOURT, 'doctor', ...args], (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 0;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

describe('npm run doctor', () => {
  it('finds every essential feature of a node, and how many transactions a sponsor’s balance pays for', async () => {
    const sponsor = `0x${'5'.repeat(64)}`;
    const { code, output } = await doctor('--url', devnet.url, '--sponsor', sponsor);
    expect([code, output]).toEqual([0, expect.stringContaining('methods for sponsoring')]);
    expect(output).not.toContain('MISSING');
    expect(output).toContain('Pays for no transaction: fund the sponsor');
  });

  it('ends with 1 if a node does not respond', async () => {
    const { code, output } = await doctor('--url', 'http://127.0.0.1:9', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({ subject: 'node', verdict: 'missing' });
  });

  it('names an unknown argument', async () => {
    const { code, output } = await doctor('--node', 'x');
    expect(code).toBe(2);
    expect(output).toContain('--node');
  });
});
