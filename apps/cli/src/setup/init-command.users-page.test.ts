import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../workspace/workspace-config.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/operations/before-your-users-come.md');
const configuration = read('docs/configuration.md');
const alerts = read('docs/operations/runbook.md');

/** The columns of the table's line with this text. */
const cells = (text: string, name: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith('|') && line.includes(name))!
    .split('|')
    .map((cell) => cell.trim());

describe('the page for operators whose users are about to come', () => {
  it('has the defaults of the configuration', () => {
    const defaults = [
      'MAX_DRY_RUNS_PER_MINUTE',
      'MAX_REFUSED_EXECUTIONS_PER_MINUTE',
      'EVENTS_MAX_CONNECTIONS',
    ];
    for (const name of defaults) {
      expect(cells(configuration, `\`${name}\``)[3]).toBe(cells(page, name)[3]);
    }
    const unused = cells(configuration, 'RESERVE_MAX_UNUSED_PER_MINUTE')[3];
    expect(cells(page, '`unused-per-minute`')[3]).toBe(unused);
    expect(cells(page, '`pool-share`')[3]).toBe(cells(configuration, 'RESERVE_MAX_POOL_SHARE')[3]);
    expect(cells(configuration, '| `EXECUTOR_CONCURRENCY`')[3]).toBe('100');
    expect(cells(configuration, '| `POOL_TARGET_COINS`')[4]).toBe('500');
    expect(cells(configuration, '| `POOL_TARGET_BALANCE`')[4]).toBe('100000000');
  });

  it('has the figures of the recorded runs and of forecourt init', () => {
    const result = read('docs/performance.md');
    const rate = (name: string) => cells(result, name)[4]!.replace(' /s', '');
    expect(page).toContain(`sponsored ${rate('sponsored transactions, 32 users')} transactions`);
    expect(page).toContain(
      `in one process ${rate('sponsored transactions in one process, 32 users')} (`,
    );
    const init = read('apps/cli/src/setup/init-command.ts');
    expect(init).toContain('about 0.001 IOTA, and 0.003 if it makes an object');
    expect(page).toContain('about 0.001 IOTA, one that makes an object 0.003');
  });

  it('names alerts of the runbook only', () => {
    const named = [...page.matchAll(/\[(Forecourt\w+)\]/g)].map(([, name]) => `## ${name}\n`);
    expect(named.length).toBeGreaterThan(5);
    for (const heading of named) expect(alerts).toContain(heading);
  });
});
