import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '@forecourt/testing/system';
import { sponsor } from '../support/application.js';
import { readCode } from '../support/documented-examples.js';
import { walkPage } from '../support/documented-page.js';
import { lineOf } from '../support/documented-program.js';
import { system } from '../support/systems/observed-system.js';
import { usePrograms } from '../support/use-programs.js';

const PAGES = [
  'docs/http-api.md',
  'docs/history.md',
  'docs/events.md',
  'docs/access-control.md',
  'docs/operations/before-your-users-come.md',
];
const programs = ['README.md', ...PAGES].flatMap((page) =>
  readCode(readFileSync(join(ROOT, page), 'utf8'), 'js'),
);

describe.each(PAGES)('%s', (path) => {
  walkPage(readFileSync(join(ROOT, path), 'utf8'), system, {
    variables: () => {
      const { url, token } = system.application;
      return { TOKEN: token, FORECOURT_TOKEN: token, FORECOURT_URL: url };
    },
  });
});

describe('the programs in the documentation', () => {
  const start = usePrograms(system);
  const subscribing = programs[3]!;

  it('are all extracted', () => expect(programs).toHaveLength(4));

  it.each([
    ['with the client', 0],
    ['by hand', 2],
  ])('sponsor a transaction %s', async (_how, index) => {
    const [, digest] = await lineOf(start(programs[index]!).stdout!, /^success (\w+)$/);
    expect(await system.control.submissionsOf(digest!)).toBe(1);
  });

  it('are the files that the pages name', () => {
    const file = join(ROOT, 'docs', 'examples', 'first-transaction.mjs');
    expect(programs[0]).toBe(readFileSync(file, 'utf8'));
  });

  it('subscribe to events', async () => {
    const lines = createInterface({ input: start(subscribing).stdout! });
    const lineIterator = lines[Symbol.asyncIterator]();
    expect((await lineIterator.next()).value).toMatch(/^subscription \d+$/);
    let isShown = false;
    const event = lineIterator.next().then((line) => {
      isShown = true;
      return line;
    });
    // Each transaction has a separate checkpoint; the subscription shows the events that follow it.
    await system.until(async () => {
      await sponsor(system.application);
      return isShown;
    });
    expect((await event).value).toMatch(/checkpoint: \d+/);
  });

  it.each([
    ['a refused subscription', "'Checkpoint'", "'Nothing'", /^refused: -32602 .*"Nothing"/],
    ['a refused connection', "/rpc'", "/nothing'", /^no connection: .*404/],
  ])('show %s', async (_name, right, wrong, message) => {
    const program = subscribing.replace(right, wrong);
    expect(program).not.toBe(subscribing);
    const { stderr } = start(program, 'pipe');
    expect(await lineOf(stderr!, message)).toBeTruthy();
  });
});
