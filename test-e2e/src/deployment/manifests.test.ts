import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeDeployment } from './describe-deployment.js';
import { DOCKER } from './manifest.js';
import { COMMITTED, readVariant, VARIANTS } from './variants.js';
import { type Workload, workloadsOf } from './workload.js';

for (const name of COMMITTED) describeDeployment(name);

describe('values and manifests', () => {
  it('are those of the checked variants', () => {
    const used = new Set(Object.values(VARIANTS).flatMap(({ values }) => values));
    const files = readdirSync(join(DOCKER, 'helm', 'values'));
    expect(files.sort()).toEqual([...used].map((name) => `${name}.yaml`).sort());
    const manifests = readdirSync(join(DOCKER, 'kubernetes')).sort();
    expect(manifests).toEqual([...COMMITTED, 'namespace'].map((name) => `${name}.yaml`).sort());
  });
});

/** The arguments of a program, `--name value` each. */
function settingsOf({ container }: Workload): Map<string, string> {
  const args = container.args ?? [];
  const names = args.flatMap((arg, index) => (arg.startsWith('--') ? [index] : []));
  return new Map(names.map((index) => [args[index]!, args[index + 1]!]));
}

/** `512Mi` and `300mb` are bytes. */
const bytes = (quantity: string) => Number(/^(\d+)(?:Mi|mb)$/.exec(quantity)![1]) * 2 ** 20;

describe('the Redis in the cluster', () => {
  const redis = workloadsOf(readVariant('local')).find(({ name }) => name === 'redis')!;
  const settings = settingsOf(redis);

  it('refuses writes before the container exceeds its memory limit', () => {
    const limit = bytes(String(redis.container.resources!.limits!['memory']));
    expect(bytes(settings.get('--maxmemory')!)).toBeLessThanOrEqual(0.7 * limit);
    expect(settings.get('--maxmemory-policy')).toBe('noeviction');
  });

  it('answers only its users', () => {
    expect(settings.get('--protected-mode')).toBe('yes');
    expect(settings.get('--aclfile')).toBe('/run/secrets/redis/users.acl');
  });
});
