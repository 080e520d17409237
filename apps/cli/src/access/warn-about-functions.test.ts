import { createIotaCodec, LedgerUnreachable } from '@forecourt/ledger';
import { readAccessRules } from '@forecourt/policy/access';
import { describe, expect, it } from '@jest/globals';
import { warnAboutFunctions } from './warn-about-functions.js';

const DEMO = `0x${'0'.repeat(60)}dec0`;
const codec = createIotaCodec();

async function warningsOf(functions: string): Promise<string[]> {
  const text = `access-controller:
  access-policy: deny-all
  rules:
    - move-call-function: ${functions}
      action: allow
`;
  const hasFunction = async (one: { packageId: string; module: string; function: string }) =>
    [one.packageId, one.module, one.function].join('::') === `${DEMO}::garage::build`;
  const rules = await readAccessRules(text, 'rules.yaml');
  return warnAboutFunctions(rules, { ...codec, hasFunction });
}

describe('a function that a rule names', () => {
  it.each([
    "'0xdec0::garage::build'",
    `['${DEMO}::garage::build']`,
    "'0xdec0::garage::*'",
    "'*::a::b'",
  ])('makes no warning: %s', async (functions) => expect(await warningsOf(functions)).toEqual([]));

  it.each(['0xdec0::garage::buld', '0xdec0::garag::build', '0xdec1::garage::build'])(
    'makes a warning when the ledger does not have it: %s',
    async (wrong) => {
      const warning = `rule at line 4: its move-call-function names ${wrong}, which the ledger does not have; compare the package, the module and the function with the published ones`;
      expect(await warningsOf(`'${wrong}'`)).toEqual([warning]);
      expect(await warningsOf(`['0xdec0::garage::build', '${wrong}']`)).toEqual([warning]);
    },
  );

  it('is unknown while no node answers', async () => {
    const rules = await readAccessRules(
      "access-controller:\n  access-policy: deny-all\n  rules:\n    - { move-call-function: '0x2::m::f', action: allow }\n",
      'rules.yaml',
    );
    const hasFunction = () => Promise.reject(new LedgerUnreachable('no answer'));
    await expect(warnAboutFunctions(rules, { ...codec, hasFunction })).rejects.toThrow('no answer');
  });
});
