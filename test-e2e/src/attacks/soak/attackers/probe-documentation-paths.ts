import type { Attacker } from '../attacker.js';

const LONG = 6_000;
const PATHS = [
  '/docs/..',
  '/docs/%00',
  '/docs//',
  `/docs/${'a'.repeat(LONG)}`,
  '/docs/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '/docs/..%5c..%5c',
  '/docs/%ff',
  '/openapi.json/..',
];

/** Requests documentation pages that cannot exist. */
export const probeDocumentationPaths: Attacker = {
  name: 'probe-documentation-paths',
  aim: 'make the gateway fail, fill its log or read its files',
  async run(_target, client) {
    let turn = 0;
    await client.repeat(100, () => client.get('page', PATHS[turn++ % PATHS.length]!));
  },
};
