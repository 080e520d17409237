import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { ROOT } from '@forecourt/testing/system';
import { PROGRAMS } from './named-commands.js';

const FORECOURT = join(ROOT, 'apps', 'cli', 'bin', 'forecourt.mjs');
const full = openSync('/dev/full', 'w');
afterAll(() => closeSync(full));

it.each(PROGRAMS['forecourt']!)(
  'forecourt %s names a full disk in one line and ends with 2',
  (name) => {
    const stdio: ['ignore', number, 'pipe'] = ['ignore', full, 'pipe'];
    const ran = spawnSync(process.execPath, [FORECOURT, name, '--help'], {
      stdio,
      encoding: 'utf8',
    });
    expect([ran.status, ran.stderr]).toEqual([
      2,
      expect.stringMatching(/^The output cannot be written: .*ENOSPC.*\n$/),
    ]);
  },
);
