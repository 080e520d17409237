import { describe, expect, it } from '@jest/globals';
import { call, decide, file, full, PACKAGE, read, subject } from '../access-rules.test-support.js';

const OTHER = full('77');

/** A limit that is counted by package, with this action beyond or within one request. */
const rule = (value: string, action: string) =>
  `    - requests: { value: '${value}', window: 1 day, count-by: [package] }
      action: ${action}`;

describe('limits of similar rules', () => {
  it('have separate counters in each rule set, so that no token uses up the limit of another', async () => {
    const alike = `access-policy: deny-all
      rules: [{ requests: { value: '<=5', window: 1 day }, action: allow }]`;
    const { rules, ruleSets } = await read(`access-controller:
  ${alike.replace('      ', '  ')}
  rule-sets:
    shop:
      ${alike}
    game:
      ${alike}`);
    const all = [rules, ...[...ruleSets.values()].map((ruleSet) => ruleSet.rules)];
    const counters = all.map(([only]) => only!.limits[0]!.counter);
    expect(new Set(counters).size).toBe(3);
  });
});

describe('a limit that is counted by package', () => {
  it('needs one called package beyond it in a rule that denies', async () => {
    const rules = await read(file('allow-all', rule('>1', 'deny')));
    const [first] = (await decide(rules, subject({ moveCalls: [call(PACKAGE)] }))).checks;
    const used = { [first!.counter]: 1n };
    const calling = (...packages: string[]) =>
      decide(rules, subject({ moveCalls: packages.map((id) => call(id)) }), used);
    expect((await calling(PACKAGE)).outcome).toBe('limited');
    expect((await calling(OTHER)).outcome).toBe('allow');
    expect((await calling(PACKAGE, OTHER)).outcome).toBe('limited');
  });

  it('needs all called packages within it in a rule that allows', async () => {
    const rules = await read(file('deny-all', rule('<=1', 'allow')));
    const [first] = (await decide(rules, subject({ moveCalls: [call(PACKAGE)] }))).checks;
    const used = { [first!.counter]: 1n };
    const calling = (...packages: string[]) =>
      decide(rules, subject({ moveCalls: packages.map((id) => call(id)) }), used);
    expect((await calling(OTHER)).outcome).toBe('allow');
    expect((await calling(PACKAGE, OTHER)).outcome).toBe('limited');
  });
});
