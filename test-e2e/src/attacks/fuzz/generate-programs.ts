import fc from 'fast-check';
import {
  type ArgumentPlan,
  type CommandPlan,
  type Deed,
  type InputPlan,
  objectKinds,
  type ObjectPlan,
  type Part,
} from './adversarial-plan.js';

const IOTA = '0x2::iota::IOTA';
const TYPES = [
  IOTA,
  `0x2::coin::Coin<${IOTA}>`,
  `vector<0x2::coin::Coin<${IOTA}>>`,
  '0xdec0::garage::Car',
  '0xdec0::nothing::Here<u8>',
  'u64',
  'address',
];
const TARGETS = [
  ...['build_car', 'new_car', 'drive', 'mileage', 'give_car', 'scrap', 'count', 'fail', 'burn'].map(
    (name) => `0xdec0::garage::${name}`,
  ),
  '0xdec0::garage::no_such_function',
  '0x2::clock::timestamp_ms',
  '0x2::coin::split',
  '0x2::coin::join',
  '0x2::coin::zero',
  '0x2::coin::destroy_zero',
  '0x2::pay::split_and_transfer',
  '0x2::pay::join_vec',
  '0x2::transfer::public_transfer',
  '0x6::clock::read',
  '0xbad::nothing::here',
];

const index = fc.nat(20);
const argument: fc.Arbitrary<ArgumentPlan> = fc.record({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant('input' as const) },
    { weight: 3, arbitrary: fc.constantFrom('result' as const, 'nested' as const) },
    { weight: 1, arbitrary: fc.constant('gas' as const) },
  ),
  index,
  second: fc.nat(2),
});
const someArguments = fc.array(argument, { maxLength: 4 });
const rarely = fc.nat(9).map((value) => value === 9);

const objectInput: fc.Arbitrary<ObjectPlan> = fc.record({
  kind: fc.constant('object' as const),
  what: fc.constantFrom(...objectKinds),
  index,
  as: fc.constantFrom('owned' as const, 'owned' as const, 'receiving' as const, 'shared' as const),
  version: fc.oneof(
    { weight: 4, arbitrary: fc.constant('newest' as const) },
    { weight: 1, arbitrary: fc.constantFrom('former' as const, 'next' as const, 'last' as const) },
  ),
  wrongDigest: rarely,
  mutable: fc.boolean(),
  wrongStart: rarely,
});

const input: fc.Arbitrary<InputPlan> = fc.oneof(
  { weight: 6, arbitrary: objectInput },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('u64' as const),
      value: fc.constantFrom(0n, 1n, 1_000_000n, 2n ** 53n + 1n, 2n ** 64n - 1n),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('address' as const),
      whose: fc.constantFrom('own' as const, 'other' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('bytes' as const),
      bytes: fc.uint8Array({ maxLength: 64 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), of: index }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('many' as const),
      count: fc.constantFrom(3, 60, 600, 2_047),
    }),
  },
);

const command: fc.Arbitrary<CommandPlan> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      target: fc.constantFrom(...TARGETS),
      types: fc.array(fc.constantFrom(...TYPES), { maxLength: 2 }),
      args: someArguments,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('split' as const, 'merge' as const, 'transfer' as const),
      first: argument,
      args: someArguments,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('vector' as const),
      type: fc.option(fc.constantFrom(...TYPES), { nil: null }),
      args: someArguments,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('publish' as const, 'upgrade' as const),
      modules: fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 2 }),
      dependency: fc.constantFrom('0x1', '0x2', '0x6', '0xbad'),
      first: argument,
    }),
  },
);

const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({
    kind: fc.constant('build' as const),
    count: fc.constantFrom(1, 1, 2, 8, 40),
    for: fc.constantFrom('own' as const, 'own' as const, 'other' as const),
  }),
  fc.record({
    kind: fc.constant('burn' as const),
    units: fc.constantFrom(0, 1, 999, 2_000, 17_500, 90_000, 1_500_000),
  }),
  fc.record({
    kind: fc.constantFrom(
      'drive' as const,
      'scrap' as const,
      'scrap' as const,
      'give' as const,
      'split' as const,
      'merge' as const,
    ),
    index,
  }),
  fc.record({
    kind: fc.constantFrom('fail' as const, 'read' as const, 'count' as const, 'leave' as const),
  }),
);

const anything = (inputs: fc.Arbitrary<InputPlan[]>, commands: fc.Arbitrary<CommandPlan[]>) =>
  fc.record({ kind: fc.constant('anything' as const), inputs, commands });

/** The parts of one program: useful actions, mixed with parts that may invalidate the program. */
export const programPlans: fc.Arbitrary<readonly Part[]> = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: fc.record({ kind: fc.constant('deed' as const), deed }) },
    { weight: 3, arbitrary: anything(fc.tuple(objectInput), fc.constant([])) },
    { weight: 1, arbitrary: anything(fc.constant([]), fc.tuple(command)) },
    {
      weight: 1,
      arbitrary: anything(fc.array(input, { maxLength: 4 }), fc.array(command, { maxLength: 3 })),
    },
  ),
  { maxLength: 4 },
);
