import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readConnection } from './connection-config.js';

const home = mkdtempSync(join(tmpdir(), 'forecourt-home-'));
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('where commands find the gas station', () => {
  it('the gas station is one on this machine unless it is configured', () => {
    expect(readConnection({}, home)).toEqual({ url: 'http://127.0.0.1:9527', token: undefined });
  });

  it('the environment comes before the file', () => {
    mkdirSync(join(home, '.config'), { recursive: true });
    const lines = 'FORECOURT_URL=https://gas.example\nFORECOURT_TOKEN="from file"\n';
    writeFileSync(join(home, '.config', 'forecourt'), lines);
    expect(readConnection({}, home)).toEqual({ url: 'https://gas.example', token: 'from file' });
    expect(readConnection({ FORECOURT_TOKEN: 'mine' }, home).token).toBe('mine');
    expect(readConnection({ XDG_CONFIG_HOME: join(home, 'other') }, home).token).toBeUndefined();
  });
});
