import { createHash } from 'node:crypto';
import { createSponsorKey } from '@forecourt/testing/system';
import { type Manifest, nameOf } from './manifest.js';
import type { SecretFile } from './workload.js';

const HASH = createHash('sha256').update('a-token').digest('hex');

const SAMPLES: Readonly<Record<string, string>> = {
  'forecourt-sponsor/keys': createSponsorKey().secret,
  'forecourt-tokens/tokens': 'a-token',
  'forecourt-fleet/secret': 'a-secret-of-a-fleet-of-32-or-more-characters',
  'forecourt-database/url':
    'postgres://forecourt:password@192.0.2.40/forecourt?sslmode=verify-full',
  'forecourt-events-database/url': 'postgres://events:password@192.0.2.40/events',
  'forecourt-access/tokens.yaml': `tokens:\n  - { name: shop, hash: ${HASH}, role: sponsor }\n`,
  'forecourt-access/rules.yaml': 'access-controller: { access-policy: deny-all, rules: [] }\n',
};

/** Sample content of a Secret's key, in place of an operator's. */
export function sampleSecret(objects: readonly Manifest[], { secret, key }: SecretFile): string {
  if (secret !== 'forecourt-redis') return SAMPLES[`${secret}/${key}`]!;
  const isInside = objects.some((one) => nameOf(one) === 'Service/redis');
  const host = isInside ? 'redis' : '192.0.2.20';
  return `redis://${key.replace('.url', '')}:password@${host}:6379`;
}
