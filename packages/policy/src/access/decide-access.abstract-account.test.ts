import { describe, expect, it } from '@jest/globals';
import { ALICE, allowed, BOB, decide, file, read, subject } from './access-rules.test-support.js';
import { mayAllowAbstractAccounts } from './decide-access.js';

const allowing = (conditions: string) => file('deny-all', `    - action: allow\n${conditions}`);
const denying = (conditions: string) => file('allow-all', `    - action: deny\n${conditions}`);

describe('the condition abstract-account', () => {
  const account = (more = {}) => subject(more, { isOfAbstractAccount: true });

  it('distinguishes abstract accounts from other senders', async () => {
    const subjects = [account(), subject()];
    expect(await allowed(allowing('      abstract-account: true'), ...subjects)).toEqual([
      true,
      false,
    ]);
    expect(await allowed(allowing('      abstract-account: false'), ...subjects)).toEqual([
      false,
      true,
    ]);
    expect(await allowed(denying('      abstract-account: true'), ...subjects)).toEqual([
      false,
      true,
    ]);
  });

  it('allows an account only by the rule that decides, which must name it', async () => {
    const allows = async (text: string, of = account()) =>
      (await decide(await read(text), of)).allowsAbstractAccount;
    const condition = `      abstract-account: true\n      sender-address: "${ALICE}"`;
    expect(await allows(allowing(condition))).toBe(true);
    expect(await allows(allowing(condition), account({ sender: BOB }))).toBe(false);
    expect(await allows(denying(condition))).toBe(false);
    const general = '    - { sender-address: "*", action: allow }\n';
    expect(
      await allows(file('allow-all', general + '    - { abstract-account: true, action: allow }')),
    ).toBe(false);
    expect(await allows(file('disabled', '    - { abstract-account: true, action: allow }'))).toBe(
      false,
    );
  });

  it('can allow an account unless all its rules deny', async () => {
    const may = async (policy: string, rule: string) =>
      mayAllowAbstractAccounts(await read(file(policy, `    - ${rule}`)));
    expect(await may('allow-all', '{ abstract-account: true, action: allow }')).toBe(true);
    expect(await may('allow-all', '{ abstract-account: true, action: "https://a.example" }')).toBe(
      true,
    );
    expect(await may('allow-all', '{ abstract-account: true, action: deny }')).toBe(false);
    expect(await may('allow-all', '{ sender-address: "*", action: allow }')).toBe(false);
    expect(await may('disabled', '{ abstract-account: true, action: allow }')).toBe(false);
  });
});
