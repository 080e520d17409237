import { describe, expect, it } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import type { Access } from '@forecourt/contracts';
import { CONFIGURED_CALLER } from '@forecourt/policy/tokens';
import type { SeenReplica } from '@forecourt/runtime/service';
import { FleetTokens } from './fleet-tokens.js';

const replica = (service: string, accessVersion?: string): SeenReplica => ({
  service,
  id: `${service} ${accessVersion ?? ''}`,
  version: '1',
  startedAt: 0,
  seenAt: 0,
  ...(accessVersion !== undefined && { accessVersion }),
});

/** The tokens at a gateway with the token shop and files of the version `here`. */
const tokens = (list: () => Promise<readonly SeenReplica[]>) =>
  new FleetTokens(
    partial({
      callerNamed: (name) => (name === 'shop' ? { ...CONFIGURED_CALLER, name } : null),
      describe: () => ({ version: 'here' }) as Access,
    }),
    partial({ list }),
  );

describe('the name of a token to pause', () => {
  const same = async () => [replica('gateway', 'here'), replica('executor')];

  it('is accepted if this gateway has it', async () => {
    expect(await tokens(same).requireKnown('shop')).toBeNull();
  });

  it.each(['shpo', 'shop:0xab'])(
    'is refused with the remedy if no gateway has it: %s',
    async (name) => {
      await expect(tokens(same).requireKnown(name)).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringMatching(/No gateway has a token .*: name an entry of TOKENS_FILE/),
      });
    },
  );

  it.each<[string, () => Promise<readonly SeenReplica[]>]>([
    ['has other files', async () => [replica('gateway', 'here'), replica('gateway', 'other')]],
    ['does not tell its version', async () => [replica('gateway')]],
    ['cannot be seen', () => Promise.reject(new Error('Redis is away'))],
  ])('is accepted with a warning while another gateway %s', async (_name, list) => {
    expect(await tokens(list).requireKnown('shpo')).toContain('check the spelling');
  });
});
