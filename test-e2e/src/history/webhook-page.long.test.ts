import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, ROOT } from '@forecourt/testing/system';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, sponsor } from '../support/application.js';
import { readCode } from '../support/documented-examples.js';
import { walkPage } from '../support/documented-page.js';
import { lineOf, startProgram } from '../support/documented-program.js';
import { system, TOKENS } from '../support/systems/webhook-system.js';
import { applicationOf, hashOf, tokenEntry } from '../support/tokens-file.js';

const page = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
const SECRET = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
/** The caller of the page is another one than in the tests that share the system. */
const CALLER = 'documented';
const caller = () => applicationOf(CALLER, system.application);

let url = '';
let receiver: ReturnType<typeof startProgram>;

/** The page's text about the receiver and the caller of this test. */
const here = (text: string) =>
  text.replaceAll('https://shop.example/hooks', url).replaceAll(/\bshop\b(?!\.)/g, CALLER);

beforeAll(async () => {
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}/hooks`;
  const [program] = readCode(page, 'js');
  receiver = startProgram(program!, { SECRET, PORT: port });
  const [tokens] = readCode(page, 'yaml');
  const [, secretFile] = /secret-file: (\S+)/.exec(tokens!)!;
  system.files.write('shop.secret', `${SECRET}\n`);
  const configured = here(tokens!)
    .replace(/hash: \w+/, `hash: ${hashOf(caller().token)}`)
    .replace(secretFile!, 'shop.secret')
    .replace('tokens:\n', `tokens:\n${tokenEntry('ops', ['role: operator'])}\n`);
  system.files.write(TOKENS, configured);
  await system.until(async () => {
    const { status } = await call(caller(), 'GET', '/v1/webhooks');
    const { body } = await call(applicationOf('ops', system.application), 'GET', '/v1/webhooks');
    const { webhooks } = (body.result ?? { webhooks: [] }) as { webhooks: { url: string }[] };
    // One of the caller, and the fleet's, without its password.
    const urls = webhooks.map((one) => one.url);
    return status === 200 && urls.includes(url) && urls.includes('https://ops.example/hooks');
  });
});
afterAll(() => void receiver.kill());

describe('the page about webhooks', () => {
  it('configures a webhook, and receives its messages', async () => {
    const received = lineOf(receiver.stdout!, /^sponsorship\.executed/);
    const { answer } = await sponsor(caller());
    expect(answer.status).toBe(200);
    await received;
    await system.until(async () => {
      const path = '/v1/webhook_deliveries?status=delivered';
      const { body } = await call(caller(), 'GET', path);
      return (body.result as unknown as { data: unknown[] }).data.length > 0;
    });
  });

  walkPage(page, system, { variables: () => ({ TOKEN: caller().token }), adapt: here });
});
