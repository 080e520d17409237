import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@forecourt/testing/redis';
import { appProgram, inheritedEnvironment } from '@forecourt/testing/system';
import { run } from './stand-in-station.test-support.js';

const full = openSync('/dev/full', 'w');
afterAll(() => closeSync(full));

const COMMANDS = [
  ['sponsor', 'AAAA', '--key-file', 'none'],
  ['try'],
  ['dry-run', 'AAAA', '--sender', '0x1'],
  ['status'],
  ['events'],
  ['events', 'status'],
  ['events', 'backfill'],
  ['watch'],
  ['pool'],
  ['inspect'],
  ['explain', '64'],
  ['pause', '--reason', 'a test'],
  ['resume'],
  ['pauses'],
  ['sponsors'],
  ['drain', '0x1', '--reason', 'a test'],
  ['undrain', '0x1'],
  ['withdraw', '0x1', '--to', '0x2', '--reason', 'a test'],
  ['history'],
  ['usage'],
  ['completion', 'bash'],
  ['audit'],
  ['access', 'check'],
  ['doctor'],
  ['token', '--name', 'a'],
  ['import-config', 'none.yaml'],
];
/** Commands that call the gas station, as the table of the documentation has them. */
const CALLING = COMMANDS.slice(
  1,
  COMMANDS.findIndex(([name]) => name === 'completion'),
).filter(([name]) => name !== 'pool');

describe('every command', () => {
  it.each(COMMANDS)('refuses an option that it does not have: %s', async (...command) => {
    const { exitCode, output } = await run([...command, '--nosuch']);
    expect([exitCode, output]).toEqual([2, expect.stringMatching(/unknown option .*--nosuch/i)]);
  });

  it.each(COMMANDS)('prints its help and does nothing else: %s', async (name) => {
    const { exitCode, stdout } = await run([name, '--help']);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/--(json|name|output|rules)|bash/),
    ]);
  });

  it.each(COMMANDS)('names a full disk in one line and ends with 2: %s', (name) => {
    const args = [appProgram('cli', 'forecourt.js'), name, '--help'];
    const env = { ...inheritedEnvironment(), HOME: '/nowhere' };
    const stdio = ['ignore', full, 'pipe'] as const;
    const { status, stderr } = spawnSync(process.execPath, args, {
      env,
      stdio: [...stdio],
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^The output cannot be written: .*ENOSPC.*\n$/),
    ]);
  });

  it.each(CALLING)('ends at once where no gas station listens: %s', async (...command) => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { exitCode, output } = await run(command, { FORECOURT_URL: url });
    expect([exitCode, output]).toEqual([2, expect.stringContaining(`No answer from ${url} (`)]);
    expect(output).toContain('FORECOURT_URL');
  });
});
