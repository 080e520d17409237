import fc from 'fast-check';
import { damaged, jsonText, numberText, spoiledObject, text } from './garbage.js';

const ADDRESS = `"0x${'1'.repeat(64)}"`;

const METHODS = [
  'ledger_getEvents',
  'ledger_subscribeEvent',
  'ledger_unsubscribeEvent',
  'rpc.discover',
  'ledger_',
  'LEDGER_getEvents',
  '__proto__',
  'constructor',
  '',
];

/** The keys of criteria and filters, with valid and arbitrary arguments. */
const criterion = fc.oneof(
  fc.constantFrom(
    '"All"',
    '{"All":[]}',
    '{"EventType":"MoveEvent"}',
    '{"MoveEvent":"0x2::coin::Coin"}',
    `{"Sender":${ADDRESS}}`,
    `{"Recipient":{"AddressOwner":${ADDRESS}}}`,
    `{"Object":${ADDRESS}}`,
    '{"TimeRange":{"startTime":0,"endTime":9007199254740991}}',
    '{"Transaction":"AAAA"}',
    '{"MoveModule":{"package":"0x2","module":"coin"}}',
  ),
  fc
    .tuple(
      fc.constantFrom(
        'All',
        'Transaction',
        'MoveModule',
        'MoveEvent',
        'EventType',
        'Sender',
        'Recipient',
        'Object',
        'TimeRange',
        'And',
        'Or',
        'Any',
        '__proto__',
        'MoveEventField',
        'Package',
      ),
      jsonText,
    )
    .map(([key, value]) => `{"${key}":${value}}`),
);

const filter = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(
      fc.constantFrom(
        '{"Package":"0x2"}',
        '{"Module":"coin"}',
        `{"SenderAddress":${ADDRESS}}`,
        '{"Module":""}',
        '{"MoveEventField":{"path":"/a/b","value":1}}',
        '{"MoveEventField":{"path":"~","value":{}}}',
        '{"MoveEventType":"0x2::a::B<0x2::c::D,u64>"}',
        '{"MoveEventType":"0x2::a::B<<"}',
        '{}',
      ),
      criterion,
    ),
    fc
      .tuple(fc.constantFrom('And', 'Or', 'All', 'Any'), fc.array(tie('tree'), { maxLength: 4 }))
      .map(([key, parts]) => `{"${key}":[${parts.join(',')}]}`),
  ),
})).tree;

const cursor = fc.oneof(fc.constantFrom('null', '0', '1', '{"txSeq":0,"eventSeq":0}'), jsonText);

const params = fc.oneof(
  fc
    .tuple(criterion, cursor, fc.oneof(fc.constantFrom('1', '10', 'null'), numberText), jsonText)
    .chain((values) => fc.nat(4).map((length) => `[${values.slice(0, length).join(',')}]`)),
  fc.tuple(filter, cursor).map(([one, two]) => `[${one},${two}]`),
  filter.map((one) => `[${one}]`),
  jsonText,
);

/** One call, valid or damaged. */
const call = fc.oneof(
  spoiledObject({
    jsonrpc: fc.constant('"2.0"'),
    id: fc.oneof(fc.constantFrom('1', '"a"', 'null', '1.5'), numberText, jsonText),
    method: fc.oneof(
      fc.constantFrom(...METHODS).map((name) => JSON.stringify(name)),
      text.map((name) => JSON.stringify(name)),
    ),
    params,
  }),
  fc
    .tuple(fc.constantFrom(...METHODS), params)
    .map(([method, given]) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${given}}`),
);

/** A message to `/rpc`: calls, batches, and invalid messages. */
export const rpcMessages: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: call },
  { weight: 2, arbitrary: damaged(call) },
  { weight: 2, arbitrary: fc.array(call, { maxLength: 8 }).map((calls) => `[${calls.join(',')}]`) },
  { weight: 1, arbitrary: call.map((one) => `[${Array(60).fill(one).join(',')}]`) },
  { weight: 2, arbitrary: jsonText },
  { weight: 1, arbitrary: text },
);

/** WebSocket frames, most of which violate RFC 6455. */
export const frames: fc.Arbitrary<Buffer> = fc
  .record({
    first: fc.constantFrom(0x81, 0x01, 0x82, 0x80, 0x88, 0x89, 0x8a, 0x83, 0x8f, 0xc1, 0xf1, 0x09),
    masked: fc.boolean(),
    claimed: fc.constantFrom(null, 0, 125, 126, 127),
    payload: fc.oneof(
      fc
        .constantFrom('{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}', '', '\x03')
        .map((one) => Buffer.from(one)),
      fc.uint8Array({ maxLength: 140 }).map((bytes) => Buffer.from(bytes)),
    ),
  })
  .map(({ first, masked, claimed, payload }) => {
    const length = claimed ?? Math.min(payload.length, 125);
    const head = Buffer.from([first, length | (masked ? 0x80 : 0)]);
    // A mask of zeros leaves the payload unchanged.
    return Buffer.concat([head, ...(masked ? [Buffer.alloc(4)] : []), payload]);
  });
