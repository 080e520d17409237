import { describe, expect, it } from '@jest/globals';
import { compareGateways } from './compare-gateways.js';

const replica = (service: string, id: string, access: string | null) => ({
  service,
  id,
  version: '1.0.0',
  started_at: 1,
  seen_at: 2,
  access_version: access,
});

describe('the gateways of a fleet', () => {
  it('are the replicas of that service, each with the version of its rules', () => {
    const { gateways } = compareGateways([
      replica('executor', 'e', null),
      replica('gateway', 'a', 'v1'),
      replica('gateway', 'b', null),
    ]);
    expect(gateways.map(({ id, rules }) => [id, rules])).toEqual([
      ['a', 'v1'],
      ['b', 'unknown'],
    ]);
  });

  it.each([
    [['v1', 'v1'], false],
    [['v1', 'v2'], true],
    [['v1', null], false],
    [[], false],
  ])('with versions %j differ: %j', (versions, differ) => {
    const replicas = versions.map((version, index) => replica('gateway', `${index}`, version));
    expect(compareGateways(replicas).differ).toBe(differ);
  });
});
