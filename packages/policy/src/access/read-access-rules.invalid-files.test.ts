import { describe, expect, it } from '@jest/globals';
import { file, read } from './access-rules.test-support.js';

const rule = (condition: string) => file('deny-all', `    - action: allow\n      ${condition}`);

describe('a condition that can hold', () => {
  const denying = (condition: string) => file('deny-all', `    - action: deny\n      ${condition}`);
  const call = (value: string) => `{ function: "0x2::m::f", index: 0, value: ${value} }`;
  const change = (amount: string, owner = 'sender') =>
    `{ owner: ${owner}, coin-type: 0x2::iota::IOTA, ${amount} }`;

  it.each<[string, string]>([
    [
      'two ranges, of which one is enough to deny',
      denying(`argument: [${call('">10"')}, ${call('"<5"')}]`),
    ],
    ['ranges that share one value', rule(`argument: [${call('">=10"')}, ${call('"<=10"')}]`)],
    [
      'ranges of two functions',
      rule(`argument: [${call('">10"')}, ${call('"<5"').replace('::f', '::g')}]`),
    ],
    [
      'a value between many others',
      rule(`argument: [${['">4"', '"<8"', '"!=5"', '"!=7"'].map(call).join(', ')}]`),
    ],
    ['everything but some texts', rule(`argument: [${call('"!=a"')}, ${call('"!=b"')}]`)],
    [
      'one of several values',
      rule(`argument: [${call('["0x5", "0x6"]')}, ${call('["0x06", "0x7"]')}]`),
    ],
    ['a boolean', rule(`argument: [${call('true')}, ${call('"!=false"')}]`)],
    [
      'less than is spent',
      rule(`balance-changes: [${change('receives: "<0"')}, ${change('spends: ">5"')}]`),
    ],
    [
      'a sum of zero',
      rule(`balance-changes: [${change('receives: ">=0"')}, ${change('spends: ">=0"')}]`),
    ],
    [
      'changes of two owners',
      rule(
        `balance-changes: [${change('receives: ">5"')}, ${change('receives: "<5"', 'sponsor')}]`,
      ),
    ],
    [
      'two sums to deny',
      denying(`balance-changes: [${change('receives: ">5"')}, ${change('receives: "<5"')}]`),
    ],
    [
      'a party that may be the owner',
      rule(`balance-changes: [${change('receives: ">5"', '"0x5"')}, { only: [sender] }]`),
    ],
    [
      'an owner without a change',
      rule(`balance-changes: [${change('receives: ">=0"', '"0x5"')}, { only: ["0x6"] }]`),
    ],
    [
      'calls among other commands',
      rule('command-kind: [SplitCoins, MoveCall]\n      move-call-function: "0x2::m::f"'),
    ],
    [
      'other commands beside a call',
      denying('command-kind: SplitCoins\n      move-call-function: "0x2::m::f"'),
    ],
    [
      'a day at its end',
      rule('time: { after: "2026-11-28", before: "2026-11-30T00:01Z", days: mon }'),
    ],
    [
      'five minutes',
      rule(
        'time: { after: "2026-11-28", before: "2026-11-30", from: "08:03", to: "08:08", time-zone: Asia/Kathmandu }',
      ),
    ],
    [
      'the end of a night',
      rule(
        'time: { after: "2026-11-29T05:00Z", before: "2026-11-29T06:00Z", from: "22:00", to: "05:01", days: sat }',
      ),
    ],
    ['a budget of nothing', rule('requests: { value: "<=0", window: 1 day }')],
  ])('is read: %s', async (_name, text) => {
    await expect(read(text)).resolves.toMatchObject({ rules: [expect.anything()] });
  });
});

describe('a file of access rules with a mistake', () => {
  it.each<[string, string, number, RegExp]>([
    ['not YAML', 'access-controller: [', 1, /./],
    ['no mapping', '- 1', 1, /must be a mapping/],
    ['no controller', 'rules: []', 1, /has no access-controller/],
    ['no policy', 'access-controller:\n  rules: []', 2, /has no access-policy/],
    ['a wrong policy', 'access-controller:\n  access-policy: allow', 2, /must be one of disabled/],
    [
      'an unknown key',
      'access-controller:\n  access-policy: deny-all\n  rule: []',
      3,
      /has an unknown key: rule$/,
    ],
    [
      'a key twice',
      'access-controller:\n  access-policy: deny-all\n  access-policy: disabled',
      3,
      /unique/,
    ],
    ['rules that are not a list', file('deny-all', '    a: 1'), 4, /must be a list/],
    ['a rule that is not a mapping', file('deny-all', '    - deny'), 4, /must be a mapping/],
    ['no action', file('deny-all', '    - sender-address: "*"'), 4, /no action/],
    ['a wrong action', file('deny-all', '    - action: permit'), 4, /must be allow, deny/],
    ['an action of ftp:', file('deny-all', '    - action: ftp://a'), 4, /must be allow, deny/],
    [
      'a hook with a password in its URL',
      file('deny-all', '    - action: http://ann:secret@hooks.example/ask'),
      4,
      /^(?!.*secret).*must not contain a user name or password/,
    ],
    [
      'an OPA server that is not a URL',
      rule(
        'rego-expression: { location-type: opa-server, url: "ann:secret", rego-rule-path: data.a }',
      ),
      5,
      /^(?!.*secret).*must be a URL/,
    ],
    [
      'a name twice',
      file('deny-all', '    - {name: a, action: deny}\n    - {name: a, action: deny}'),
      5,
      /name of another/,
    ],
    [
      'a misspelt condition',
      rule('sender-adress: "0x1"'),
      5,
      /a rule has an unknown key: sender-adress/,
    ],
    ['no address', rule('sender-address: alice'), 5, /must be an address/],
    ['an empty list', rule('sender-address: []'), 5, /empty list/],
    ['no comparison', rule('ptb-command-count: 1'), 5, /one of = !=/],
    ['part of the smallest unit', rule('transaction-gas-budget: <=0.5'), 5, /whole number/],
    [
      'too small a part of a coin',
      rule('transaction-gas-budget: <=0.0000000001 IOTA'),
      5,
      /decimal places/,
    ],
    ['no function', rule('move-call-function: 0x2::m'), 5, /<package>::<module>::<function>/],
    ['more than a function', rule('move-call-function: "0x2::m::f::g"'), 5, /<package>::<module>/],
    ['no module', rule('move-call-function: "0x2::1::f"'), 5, /<package>::<module>::<function>/],
    ['no type', rule('type-argument: coin'), 5, /must be a type/],
    ['no kind of command', rule('command-kind: Transfer'), 5, /must be one of MoveCall/],
    ['no time of day', rule('time: { from: "25:00" }'), 5, /time of day/],
    ['a time after the end of the day', rule('time: { to: "24:01" }'), 5, /up to 24:00/],
    ['a period from the end of the day', rule('time: { from: "24:00" }'), 5, /begins at 00:00/],
    [
      'an empty period',
      rule('time: { after: 2026-12-01, before: 2026-12-01 }'),
      5,
      /time never holds: after must be earlier than before/,
    ],
    [
      'a budget below the smallest',
      rule('reservation-gas-budget: "<1"'),
      5,
      /never holds: the amount is from 1 to 50000000000/,
    ],
    ['a budget above the largest', rule('reservation-gas-budget: ">50 IOTA"'), 5, /never holds/],
    ['a duration of zero', rule('reservation-duration-secs: "=0"'), 5, /never holds: .* 1 to 600/],
    ['a duration above the longest', rule('reservation-duration-secs: ">=601"'), 5, /never holds/],
    ['a negative budget', rule('transaction-gas-budget: "<0"'), 5, /never holds/],
    ['more commands than allowed', rule('ptb-command-count: ">1024"'), 5, /never holds/],
    ['a ratio below zero', rule('gas-price-ratio: "<0.0"'), 5, /never holds/],
    [
      'a time without such a day',
      rule('time: { after: 2026-11-28, before: 2026-11-30, days: mon-fri }'),
      5,
      /never holds: no such day and time of day is between after and before/,
    ],
    [
      'a time of day after the end',
      rule(
        'time: { after: "2026-11-30T09:00Z", before: "2026-11-30T10:00Z", from: "10:00", to: "11:30" }',
      ),
      5,
      /never holds: no such day/,
    ],
    ['less than no use', rule('requests: { value: "<0", window: 1 day }'), 5, /never holds/],
    [
      'less than no gas',
      rule('gas-usage: { value: "<0 IOTA", until: 2090-01-01 }'),
      5,
      /never holds/,
    ],
    [
      'a negative argument',
      rule('argument: { function: "0x2::m::f", index: 0, value: "<0" }'),
      5,
      /value never holds: no argument fits <0/,
    ],
    [
      'an argument above 256 bits',
      rule(`argument: { function: "0x2::m::f", index: 0, value: ">=${2n ** 256n}" }`),
      5,
      /value never holds/,
    ],
    [
      'an argument in two ranges',
      rule(`argument:
        - { function: "0x2::m::f", index: 0, value: ">10" }
        - { function: "0x2::m::f", index: 1, value: "=7" }
        - { function: "0x2::m::f", index: 0, value: ["<5", "=7"] }`),
      6,
      /argument never holds: no argument fits all entries for 0x2::m::f, index 0/,
    ],
    [
      'an argument with two values',
      rule(`argument:
        - { function: "0x2::m::f", index: 0, value: "0x5" }
        - { function: "0x2::m::f", index: 0, value: ["0x6", "0x7"] }`),
      6,
      /argument never holds/,
    ],
    [
      'an argument and its opposite',
      rule(`argument:
        - { function: "0x2::m::f", index: 0, value: "hello" }
        - { function: "0x2::m::f", index: 0, value: "!=hello" }`),
      6,
      /argument never holds/,
    ],
    [
      'balance changes in two ranges',
      rule(`balance-changes:
        - { owner: sender, coin-type: 0x2::iota::IOTA, receives: ">10" }
        - { owner: sender, coin-type: "0x02::iota::IOTA", receives: "<=10" }`),
      6,
      /balance-changes never holds: no amount fits all entries for sender/,
    ],
    [
      'a balance change received and spent',
      rule(`balance-changes:
        - { owner: "0x5", coin-type: 0x2::iota::IOTA, receives: ">0" }
        - { owner: "0x05", coin-type: 0x2::iota::IOTA, spends: ">=1" }`),
      6,
      /balance-changes never holds: no amount fits all entries for 0x0{63}5/,
    ],
    [
      'a balance change that only others have',
      rule(`balance-changes:
        - { owner: "0x5", coin-type: 0x2::iota::IOTA, spends: "!=0" }
        - { only: ["0x6"] }`),
      6,
      /balance-changes never holds: no amount fits all entries for 0x0{63}5/,
    ],
    [
      'calls among commands without calls',
      rule('command-kind: [SplitCoins, MergeCoins]\n      move-call-function: "0x2::m::f"'),
      4,
      /never holds: its command-kind has no MoveCall, which move-call-function needs/,
    ],
    [
      'a package among commands without calls',
      rule('move-call-package-address: "0x2"\n      command-kind: Publish'),
      4,
      /which move-call-package-address needs/,
    ],
    ['no time zone', rule('time: { time-zone: Mars }'), 5, /time zone/],
    ['no day', rule('time: { days: caturday }'), 5, /must be days/],
    ['a range of three days', rule('time: { days: mon-wed-fri }'), 5, /must be days/],
    ['no date', rule('time: { after: soon }'), 5, /must be a date/],
    ['no window', rule('gas-usage: { value: "<1" }'), 5, /has no window/],
    [
      'a wrong window',
      rule('gas-usage: { value: "<1", window: 1 fortnight }'),
      5,
      /unknown unit of time/,
    ],
    ['a window too short', rule('gas-usage: { value: "<1", window: 1 ms }'), 5, /time span from/],
    [
      'a wrong group',
      rule('gas-usage: { value: "<1", window: 1 day, count-by: [x] }'),
      5,
      /must name sender/,
    ],
    [
      'a group of tokens by header',
      rule('gas-usage: { value: "<1", window: 1d, count-by: ["http-header::authorization"] }'),
      5,
      /must name sender/,
    ],
    [
      'a token for a hook',
      file('deny-all', '    - action: { url: "http://a", forward-headers: [Authorization] }'),
      4,
      /must not name authorization/,
    ],
    ['a hook without URL', file('deny-all', '    - action: { headers: {} }'), 4, /has no url/],
    [
      'a wrong hook',
      file('deny-all', '    - action: { url: "http://a", when-down: sleep }'),
      4,
      /must be one of deny/,
    ],
    ['an expression that is not a boolean', rule('expression: 1 + 1'), 5, /must be true or false/],
    ['an unknown field of tx', rule('expression: tx.nope == 1'), 5, /No such key: nope/],
    [
      'an expression with types that do not fit',
      rule('expression: tx.gasBudget == "x"'),
      5,
      /is not a valid expression/,
    ],
    [
      'an expression that uses dyn',
      rule('expression: dyn(tx).constructor == 1'),
      5,
      /must not use dyn/,
    ],
    [
      'an expression with loops in loops',
      rule('expression: tx.calls.all(a, tx.calls.all(b, tx.calls.all(c, a == b)))'),
      5,
      /nest loops more than 2 deep|is not a valid expression/,
    ],
    [
      'a pattern with a backreference',
      rule(String.raw`expression: matches(tx.sender, "(a)\\1")`),
      5,
      /invalid pattern/,
    ],
    [
      'a pattern from the transaction',
      rule('expression: matches("a", tx.sender)'),
      5,
      /text in quotes/,
    ],
    ['matches as a method', rule('expression: tx.sender.matches("a")'), 5, /matches\(text/],
    [
      'functions without a function name',
      rule('expression: onlyCalls(tx, ["0x2::coin"])'),
      5,
      /<package>::<module>::<function>/,
    ],
    [
      'functions that are not literals',
      rule('expression: onlyCalls(tx, tx.ownedObjects)'),
      5,
      /must write onlyCalls\(tx, /,
    ],
    ['no functions at all', rule('expression: onlyCalls(tx, [])'), 5, /list of 1 to 100/],
    [
      'kinds that do not exist',
      rule('expression: onlyCommands(tx, ["Move"])'),
      5,
      /must be one of MoveCall/,
    ],
    ['no ratio', rule("gas-price-ratio: '<=5 IOTA'"), 5, /and a number, such as/],
    ['a vector of nothing', rule('type-argument: vector<>'), 5, /must be a type/],
    [
      'a cap that caps nothing',
      'access-controller:\n  access-policy: deny-all\n  sponsor-budget: { value: ">5", window: 1 day }',
      3,
      /must be an upper limit/,
    ],
    [
      'a wrong choice',
      'access-controller:\n  access-policy: deny-all\n  denied-reservation: burn',
      3,
      /keep, free/,
    ],
    [
      'Rego without a place',
      rule('rego-expression: { location-type: file, rego-rule-path: data.a.b }'),
      5,
      /has no path/,
    ],
    [
      'Rego of no kind',
      rule('rego-expression: { location-type: ftp, url: a, rego-rule-path: data.a.b }'),
      5,
      /one of file/,
    ],
    [
      'Rego without a rule',
      rule('rego-expression: { location-type: file, path: a, rego-rule-path: a }'),
      5,
      /path of a rule/,
    ],
    ['an alias to nothing', rule('time: { from: *nowhere }'), 5, /alias/i],
    ['too large a file', `#${'x'.repeat(5_000_000)}`, 1, /too large/],
  ])('is refused at the line of the mistake: %s', async (_name, text, line, reason) => {
    const error = await read(text).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: 'InvalidFile', message: expect.stringMatching(reason) });
    expect((error as { line: number }).line).toBe(line);
  });
});
