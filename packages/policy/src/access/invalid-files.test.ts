import { describe, expect, it } from '@jest/globals';
import { file, read } from './access-rules.test-support.js';

const rule = (condition: string) => file('deny-all', `    - action: allow\n      ${condition}`);

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
    ['rules that are no list', file('deny-all', '    a: 1'), 4, /must be a list/],
    ['a rule that is no mapping', file('deny-all', '    - deny'), 4, /must be a mapping/],
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
      'an OPA server that is no URL',
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
      rule('transaction-gas-budget: <=0.0000000001 coins'),
      5,
      /decimal places/,
    ],
    ['no function', rule('move-call-function: 0x2::m'), 5, /<package>::<module>::<function>/],
    ['more than a function', rule('move-call-function: "0x2::m::f::g"'), 5, /<package>::<module>/],
    ['no module', rule('move-call-function: "0x2::1::f"'), 5, /<package>::<module>::<function>/],
    ['no type', rule('type-argument: coin'), 5, /must be a type/],
    ['no kind of command', rule('command-kind: Transfer'), 5, /must be one of MoveCall/],
    ['no time of day', rule('time: { from: "25:00" }'), 5, /time of day/],
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
    ['no ratio', rule("gas-price-ratio: '<=5 coins'"), 5, /and a number, such as/],
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
