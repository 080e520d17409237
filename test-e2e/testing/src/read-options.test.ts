import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const built = new URL('../dist/read-options.js', import.meta.url).href;

/** Runs a program that has these options with arguments, and returns what it prints. */
function run(...args: readonly string[]) {
  const program = `
    const { readChoiceOption, readNumberOption, readProgramOptions } = await import(${JSON.stringify(built)});
    const values = readProgramOptions('the help', {
      count: { type: 'string', default: '3' },
      only: { type: 'string', multiple: true, default: ['a', 'b'] },
      buildVault: { type: 'string' },
      quick: { type: 'boolean', default: false },
      ledger: { type: 'string', default: 'grpc' },
    });
    readNumberOption('count', values.count);
    readChoiceOption('ledger', ['json-rpc', 'grpc'], values.ledger);
    console.log(JSON.stringify(values));
  `;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', program, '--', ...args],
    { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

describe('the options of a program', () => {
  it('have their defaults', () => {
    const { status, stdout } = run();
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      { count: '3', only: ['a', 'b'], quick: false, ledger: 'grpc' },
    ]);
  });

  it('have what is given, in either form', () => {
    const { stdout } = run(
      '--count=5',
      '--only',
      'c',
      '--only',
      'd',
      '--build-vault',
      'x',
      '--quick',
    );
    expect(JSON.parse(stdout)).toEqual({
      count: '5',
      only: ['c', 'd'],
      buildVault: 'x',
      quick: true,
      ledger: 'grpc',
    });
  });

  it('are explained by --help alone', () => {
    expect(run('--help')).toEqual({ status: 0, stdout: 'the help\n', stderr: '' });
  });

  it.each([
    [['--cuont', '5'], /unknown option '--cuont'\n\(Did you mean --count\?\)\n\nthe help\n$/],
    [['--count'], /option '--count <value>' argument missing\n\nthe help\n$/],
    [['more'], /too many arguments.*\n\nthe help\n$/],
    [['--count', 'many'], /^--count must be a whole number, 1 or more; got many\n$/],
    [['--ledger', 'x'], /^--ledger must be json-rpc or grpc; got x\n$/],
  ])('end the program with 2 and name the mistake: %j', (args, message) => {
    expect(run(...args)).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(message) });
  });
});
