import type { System } from '@forecourt/testing/system';
import { expect, it } from '@jest/globals';
import { consoleUrl } from './describe-running.js';

it.each([
  [undefined, 'http://127.0.0.1:9527/console'],
  ['', 'http://127.0.0.1:9527/console'],
  ['https://gas.example.com', 'https://gas.example.com/console'],
  ['https://example.com/gas/station/', 'https://example.com/gas/station/console'],
])('with PUBLIC_URL %p, the console is at %s', (publicUrl, url) => {
  const gateway = { options: { env: { PUBLIC_URL: publicUrl } } };
  const system = { gatewayUrls: ['http://127.0.0.1:9527'], services: () => [gateway] };
  expect(consoleUrl(system as unknown as System)).toBe(url);
});
