import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { appProgram, inheritedEnvironment } from '@forecourt/testing/system';
import { answer, run } from './stand-in-station.test-support.js';

describe('help', () => {
  it.each([
    [['pause'], '--reason <text>', 'told to callers \\(required\\)'],
    [['withdraw'], '--to <address>', '.*\\(required\\)'],
    [['events'], 'criterion', '.* \\(default: "All"\\)'],
    [['webhooks', 'deliveries'], '--limit <number>', '.* \\(default: 50\\)'],
  ])('of %j says what %s must be, and its default as it is typed', async (command, name, text) => {
    const { stdout } = await run([...command, '--help']);
    const line = stdout.replace(/\n {10,}/g, ' ');
    expect(line).toMatch(new RegExp(`^ +${name} +${text}$`, 'm'));
  });
});

describe('an option that a command shares with its subcommands', () => {
  const attempt = { status: 200, error: null, answer: '', duration_ms: 3 };
  const index = { holes: [] };
  const answers = {
    '/v1/webhook_deliveries?limit=50': [200, { result: { data: [] } }],
    '/v1/webhooks/test': [200, { result: attempt }],
    '/v1/events_index': [200, { result: index }],
  } as const;

  it.each([
    [['webhooks', 'deliveries', '--json']],
    [['webhooks', '--json', 'deliveries']],
    [['webhooks', 'test', 'https://a.example', '--json']],
    [['events', 'status', '--json']],
    [['events', '--json', 'status']],
  ])('holds for the subcommand: %j', async (command) => {
    const { exitCode, stdout } = await run(command, await answer(answers));
    expect([exitCode, typeof JSON.parse(stdout)]).toEqual([0, 'object']);
  });
});

describe('a command that asks for something of which there is no record', () => {
  const error = 'No record of 64';
  it.each([
    [['history', '64'], '/v1/sponsorships/64'],
    [['explain', '64'], '/v1/explain?reservation_id=64'],
    [['webhooks', 'redeliver', 'a'], '/v1/webhook_deliveries/a/redeliver'],
  ])('ends with 1: %j', async (command, path) => {
    const { exitCode, output } = await run(command, await answer({ [path]: [404, { error }] }));
    expect([exitCode, output]).toEqual([1, `${error}\n`]);
  });

  it('ends with 2 where the address is not that of a gas station', async () => {
    const { exitCode } = await run(['history', '64'], await answer({}));
    expect(exitCode).toBe(2);
  });
});

describe('output that is not read to its end', () => {
  it('ends the command without a stack', async () => {
    const one = {
      type: 'webhook.test',
      status: 'waiting',
      url: 'https://a.example',
      created_at: 0,
    };
    const data = Array.from({ length: 5_000 }, (_, id) => ({ id: `${id}`, ...one, attempts: [] }));
    const answers = { '/v1/webhook_deliveries?limit=50': [200, { result: { data } }] } as const;
    const child = spawn(
      process.execPath,
      [appProgram('cli', 'forecourt.js'), 'webhooks', 'deliveries', '--json'],
      { env: { ...inheritedEnvironment(), HOME: '/nowhere', ...(await answer(answers)) } },
    );
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)));
    child.stdout.once('data', () => child.stdout.destroy());
    await once(child, 'close');
    expect([child.exitCode, errors]).toEqual([0, '']);
  });
});
