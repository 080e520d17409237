import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  ALICE,
  allowed,
  BOB,
  call,
  PACKAGE,
  spendInTurn,
  subject,
} from './access-rules.test-support.js';
import { readAccessRules } from './read-access-rules.js';

/** Every example of the documentation of IOTA's access controller, unchanged. */
describe('the documented files of IOTA’s gas station', () => {
  it('disable all requests and allow only a specific address', async () => {
    const text = `
access-controller:
   access-policy: deny-all
   rules:
      - sender-address: "${ALICE}"
        move-call-package-address: "${PACKAGE}"
        action: allow # allowed actions: 'allow', 'deny', a hook url (see "Hook Server" section)
`;
    const moveCalls = [call(PACKAGE)];
    expect(
      await allowed(
        text,
        subject({ moveCalls }),
        subject({ moveCalls, sender: BOB }),
        subject({ moveCalls: [call(BOB)] }),
        subject(),
      ),
    ).toEqual([true, false, false, false]);
  });

  it('enable all requests and deny only a specific address', async () => {
    const text = `
access-controller:
   access-policy: allow-all
   rules:
      - sender-address: "${ALICE}"
        action: deny
`;
    expect(await allowed(text, subject(), subject({ sender: BOB }))).toEqual([false, true]);
  });

  it('constrain the gas budget', async () => {
    const text = `
access-controller:
   access-policy: deny-all
   rules:
      - sender-address: "${ALICE}"
        transaction-gas-budget: <1000000 # allowed operators: =, !=, <, >, <=, >=
        action: allow
`;
    const [below, limit] = [{ gasBudget: 999_999n }, { gasBudget: 1_000_000n }];
    expect(await allowed(text, subject(below), subject(limit))).toEqual([true, false]);
  });

  it('limit budgets by sender, and the first rule that matches decides', async () => {
    const text = `
access-controller:
   access-policy: deny-all
   rules:
      - sender-address: "${ALICE}"
        transaction-gas-budget: <=10000000
        action: allow

      - sender-address: '*'
        transaction-gas-budget: <500000
        action: allow
`;
    expect(
      await allowed(
        text,
        subject({ gasBudget: 10_000_000n }),
        subject({ gasBudget: 600_000n, sender: BOB }),
        subject({ gasBudget: 499_999n, sender: BOB }),
      ),
    ).toEqual([true, false, true]);
  });

  it('limit the commands of a programmable transaction', async () => {
    const text = `
access-controller:
   access-policy: deny-all
   rules:
      - sender-address: "${ALICE}"
        ptb-command-count: <=1 # allowed operators: =, !=, <, >, <=, >=
        action: allow
`;
    const two = { commandKinds: ['SplitCoins', 'TransferObjects'] as const };
    expect(await allowed(text, subject(), subject(two))).toEqual([true, false]);
  });

  it('limit the gas that one address uses in a day, and not that of other addresses', async () => {
    const text = `
access-controller:
  access-policy: deny-all
  rules:
    - sender-address: "${ALICE}"
      gas-usage:
        window: 1 day
        value: ">1000000"
      action: deny

    - sender-address: '*'
      action: allow
`;
    const half = { gasBudget: 500_000n };
    const bob = subject({ sender: BOB, gasBudget: 9_000_000n });
    expect(
      await spendInTurn(text, subject(half), subject(half), subject({ gasBudget: 1n }), bob, bob),
    ).toEqual(['allow', 'allow', 'limited', 'allow', 'allow']);
  });

  it('limit the gas that one address uses with one package, and allow nothing else', async () => {
    const text = `
access-controller:
  access-policy: deny-all
  rules:
    - sender-address: "${ALICE}"
      move-call-package-address: "${PACKAGE}"
      gas-usage:
        value: <1000000
        window: 1 day
      action: allow
`;
    const calling = (gasBudget: bigint) => subject({ moveCalls: [call(PACKAGE)], gasBudget });
    expect(
      await spendInTurn(
        text,
        calling(600_000n),
        calling(400_000n),
        calling(399_999n),
        calling(1n),
        subject(),
        subject({ moveCalls: [call(PACKAGE)], sender: BOB }),
      ),
    ).toEqual(['allow', 'limited', 'allow', 'limited', 'deny', 'deny']);
  });

  it('limit the gas of each address with a separate counter', async () => {
    const text = (countBy: string) => `
access-controller:
  access-policy: deny-all
  rules:
    - sender-address: "*"
      gas-usage:
        value: <1000000
        window: 1 day
${countBy}      action: allow
`;
    const most = { gasBudget: 999_999n };
    const requests = [subject(most), subject({ ...most, sender: BOB }), subject({ gasBudget: 1n })];
    const byAddress = text('        count-by: [ sender-address ]\n');
    expect(await spendInTurn(byAddress, ...requests)).toEqual(['allow', 'allow', 'limited']);
    expect(await spendInTurn(text(''), ...requests)).toEqual(['allow', 'limited', 'limited']);
  });

  it.each([
    ['a file', 'location-type: file\n        path: "./source_file.rego"', /access compile/],
    ['a file', 'location-type: file\n        url: "file://./source_file.rego"', /access compile/],
    ['a missing file', 'location-type: file\n        path: nowhere', /cannot be read/],
    [
      'Redis',
      'location-type: redis\n        url: "redis://127.0.0.1:1"\n        redis-key: source.rego',
      /cannot be used/,
    ],
    [
      'HTTP',
      'location-type: http\n        url: "http://127.0.0.1:1/source.rego"',
      /cannot be used/,
    ],
  ])('are refused with a policy in Rego whose source is from %s', async (_from, source, reason) => {
    const folder = mkdtempSync(join(tmpdir(), 'rego-'));
    writeFileSync(join(folder, 'source_file.rego'), 'package matchers\n');
    const text = `
access-controller:
  access-policy: deny-all
  rules:
    - sender-address: "*"
      rego-expression:
        ${source}
        rego-rule-path: data.matchers.move_call_matches
      action: allow
`;
    const reading = readAccessRules(text, join(folder, 'rules.yaml'));
    await expect(reading).rejects.toMatchObject({
      name: 'InvalidFile',
      message: expect.stringMatching(reason),
    });
    rmSync(folder, { recursive: true });
  });
});
