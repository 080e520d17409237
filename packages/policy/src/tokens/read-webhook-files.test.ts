import { afterAll, describe, expect, it } from '@jest/globals';
import { tokenEvents, webhookEvents } from '@forecourt/contracts';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { readTokenFile } from './read-token-file.js';
import { findFileVersion } from './read-access-files.js';
import { readWebhookFiles } from './read-webhook-files.js';

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const NEXT = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const HASH = 'a'.repeat(64);

/** A file with one token, whose webhooks are these lines. */
const withToken = (lines: string, fleet = '') => `tokens:
  - name: shop
    hash: ${HASH}
    role: sponsor
    webhooks:
${lines}
${fleet}`;
const entry = (fields: string) => `      - { ${fields} }`;

describe('webhooks in a file of tokens', () => {
  it('belong to a token or to the fleet, and receive all of its events by default', async () => {
    const file = folder.write(
      'tokens.yaml',
      withToken(
        [
          entry(`url: https://ann:p%40ss@shop.example/hooks, secret: ${SECRET}`),
          entry(
            `url: https://shop.example/failed, events: [sponsorship.expired], secret: [${SECRET}, ${NEXT}]`,
          ),
        ].join('\n'),
        `fleet-webhooks: [{ url: https://ops.example, secret: ${NEXT} }]`,
      ),
    );
    const { webhooks } = await readWebhookFiles(file);
    expect(webhooks).toEqual([
      {
        token: null,
        url: 'https://ops.example/',
        shownUrl: 'https://ops.example/',
        events: webhookEvents,
        secrets: [NEXT],
      },
      {
        token: 'shop',
        url: 'https://ann:p%40ss@shop.example/hooks',
        shownUrl: 'https://shop.example/hooks',
        events: tokenEvents,
        secrets: [SECRET],
      },
      {
        token: 'shop',
        url: 'https://shop.example/failed',
        shownUrl: 'https://shop.example/failed',
        events: ['sponsorship.expired'],
        secrets: [SECRET, NEXT],
      },
    ]);
  });

  it('take secrets from a file beside it, whose changes are noticed', async () => {
    const secrets = folder.write('hook.secret', `${SECRET}\n${NEXT}\n`);
    const lines = entry('url: https://shop.example/, secret-file: hook.secret');
    const file = folder.write('with-file.yaml', withToken(lines));
    const { webhooks, versions } = await readWebhookFiles(file);
    expect(webhooks[0]?.secrets).toEqual([SECRET, NEXT]);
    expect(versions.get(secrets)).toBe(await findFileVersion(secrets));
    folder.write('hook.secret', `${NEXT}\n\n`);
    expect(versions.get(secrets)).not.toBe(await findFileVersion(secrets));
  });

  it('are none without a file', async () => {
    expect((await readWebhookFiles(null)).webhooks).toEqual([]);
  });

  it('name the webhook whose file of secrets cannot be used', async () => {
    const lines = entry('url: https://shop.example/, secret-file: absent');
    const absent = folder.write('absent-secret.yaml', withToken(lines));
    await expect(readWebhookFiles(absent)).rejects.toThrow(
      /^TOKENS_FILE: the webhooks of token shop, https:\/\/shop\.example\/: secret-file cannot be read: ENOENT/,
    );
    folder.write('empty.secret', '\n');
    const emptyLines = entry('url: https://shop.example/, secret-file: empty.secret');
    const empty = folder.write('empty-secret.yaml', withToken(emptyLines));
    await expect(readWebhookFiles(empty)).rejects.toThrow(/empty\.secret is empty: it must be/);
  });

  it.each<[string, string, RegExp]>([
    ['no secret', entry('url: https://a.example/'), /line 6: webhooks has no secret and no/],
    [
      'both forms of a secret',
      entry(`url: https://a.example/, secret: ${SECRET}, secret-file: a`),
      /secret-file and secret are both given/,
    ],
    [
      'a short secret',
      entry('url: https://a.example/, secret: whsec_c2hvcnQ='),
      /^(?!.*c2hvcnQ).*secret must be whsec_ and base64 of 24 to 64/,
    ],
    ['a bare secret', entry('url: https://a.example/, secret: hunter2'), /^(?!.*hunter2).*whsec_/],
    [
      'three secrets',
      entry(`url: https://a.example/, secret: [${SECRET}, ${NEXT}, ${SECRET}]`),
      /secret must be at most 2/,
    ],
    ['another protocol', entry(`url: ftp://a.example/, secret: ${SECRET}`), /url must be a URL/],
    [
      'a fragment',
      entry(`url: "https://a.example/#x", secret: ${SECRET}`),
      /must not have a part after #/,
    ],
    [
      'the same URL twice, with different passwords',
      [
        entry(`url: https://a:1@a.example/, secret: ${SECRET}`),
        entry(`url: https://a:2@a.example/, secret: ${SECRET}`),
      ].join('\n'),
      /line 7: webhooks has the URL https:\/\/a\.example\/ twice/,
    ],
    [
      'an unknown event',
      entry(`url: https://a.example/, events: [sponsorship.done], secret: ${SECRET}`),
      /events must be a list of .*; not sponsorship\.done/,
    ],
    [
      'an event of the fleet',
      entry(`url: https://a.example/, events: [sponsor.low], secret: ${SECRET}`),
      /events has sponsor\.low, .* move it to fleet-webhooks/,
    ],
    [
      'no event',
      entry(`url: https://a.example/, events: [], secret: ${SECRET}`),
      /events must not be an empty list/,
    ],
    [
      'a misspelt key',
      entry(`url: https://a.example/, event: sponsor.low, secret: ${SECRET}`),
      /a webhook has an unknown key: event/,
    ],
  ])('are refused with %s, also by gateways', (_, lines, problem) => {
    expect(() => readTokenFile(withToken(lines))).toThrow(problem);
  });
});
