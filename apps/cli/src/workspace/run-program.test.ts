import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const RUN_PROGRAM = join(import.meta.dirname, '..', '..', 'dist', 'workspace', 'run-program.js');
const SERVICE = `
  console.log('running');
  process.on('SIGTERM', () => process.exit(console.log('stopped')));
  setInterval(() => undefined, 1_000);
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-npm-'));
  const scripts = { start: 'node start.mjs' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
  const call = `await runProgram(process.execPath, ['-e', ${JSON.stringify(SERVICE)}], { stdio: 'inherit' });`;
  const program = `import { runProgram } from ${JSON.stringify(RUN_PROGRAM)};\n${call}`;
  writeFileSync(join(folder, 'start.mjs'), program);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a program that npm runs', () => {
  it('is stopped by SIGTERM to the process of npm alone', async () => {
    const npm = spawn('npm', ['start', '--silent'], { cwd: folder });
    const lines = createInterface({ input: npm.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('running');
    npm.kill('SIGTERM');
    expect((await lines.next()).value).toBe('stopped');
    await once(npm, 'close');
  });
});
