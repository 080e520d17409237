import { beforeEach, describe, expect, it } from '@jest/globals';
import { readAccessRules } from '@forecourt/policy/access';
import { AccessQuestion } from './access-question.js';
import { SUBJECT } from './access-subject.test-support.js';

const FILE = `access-controller:
  access-policy: deny-all
  rules:
    - action: http://127.0.0.1:9/
`;

let calls: number;
let wouldCall: boolean;
let question: AccessQuestion;

beforeEach(async () => {
  [calls, wouldCall] = [0, true];
  const rules = await readAccessRules(FILE, '/rules.yaml');
  question = new AccessQuestion({
    rules,
    ruleSet: rules,
    caps: [],
    subject: SUBJECT,
    requestId: 'r',
    audit: { requireWritable: () => undefined, write: () => undefined },
    hooks: {
      wouldCall: () => wouldCall,
      ask: async () => ((calls += 1), { decision: 'allow', userMessage: null }),
    },
  });
});

describe('a decision without calls', () => {
  it('stays open if it needs a hook, which is then called once', async () => {
    expect([await question.decideWithoutCalls(), calls]).toEqual([null, 0]);
    expect([await question.decide(), calls]).toEqual([[], 1]);
    expect([await question.decideWithoutCalls(), calls]).toEqual([[], 1]);
  });

  it('uses the answer of a hook that needs no call', async () => {
    wouldCall = false;
    expect([await question.decideWithoutCalls(), calls]).toEqual([[], 1]);
  });
});
