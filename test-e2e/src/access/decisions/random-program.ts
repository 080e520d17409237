import { bcs } from '@iota/iota-sdk/bcs';
import {
  moveCallWith,
  ownedObject,
  type ObjectRef,
  type Program,
  pureAddress,
  pureText,
  pureU64,
  type RawArgument,
  type RawCommand,
  type RawInput,
} from '../../support/raw-transaction.js';
import type { Seeded } from '../../support/seeded.js';

const IOTA = '0x2::iota::IOTA';
const GARAGE = '0xdec0::garage';
const PUSH = '0x1::vector::push_back';
const WRAPPERS = ['vector<', '0x1::option::Option<'];
const LARGEST_INPUT = 16_000;
const MOST_CALLS = 1_000;

/** The addresses and the coin of a random program. */
export interface Cast {
  readonly recipients: readonly string[];
  /** Belongs to the sender. */
  readonly coin: ObjectRef;
}

/**
 * Makes programs: most do something, with inputs that several commands share and change; others are large.
 */
export class RandomProgram {
  readonly #inputs: RawInput[] = [];
  readonly #commands: RawCommand[] = [];

  constructor(
    private readonly random: Seeded,
    private readonly cast: Cast,
  ) {}

  make(): Program {
    const { random } = this;
    if (random.integer(1, 10) <= 8) this.addDeeds();
    else this.addMany(1 + Math.floor(MOST_CALLS ** (random.integer(0, 1_000) / 1_000)));
    return { inputs: this.#inputs, commands: this.#commands };
  }

  private addDeeds(): void {
    const { random, cast } = this;
    const amounts = [1n, 900n, 1_000n, 1_001n].map((amount) => this.put(pureU64(amount)));
    const models = ['Mini', 'Maxi', 'Mi', 'ni', ''].map((model) => this.put(pureText(model)));
    const vectors = [[], [5n], [2_000n, 7n]].map((list) =>
      this.putBytes(bcs.vector(bcs.u64()).serialize(list)),
    );
    const recipients = cast.recipients.map((one) => this.put(pureAddress(one)));
    const coin = this.put(ownedObject(cast.coin));
    const any = (choices: readonly RawArgument[]) => random.pick(choices);
    const deeds: Record<string, () => void> = {
      mint: () => this.call('0xdec0::token::mint', [any(amounts), any(recipients)]),
      build: () => this.call(`${GARAGE}::build_car`, [any(models), any(recipients)]),
      raise: () => this.call(`${GARAGE}::raise`, [any(amounts), any(amounts)]),
      append: () => this.call('0x1::string::append', [any(models), any(models)]),
      push: () => this.call(PUSH, [any(vectors), any(amounts)], ['u64']),
      split: () => this.call('0x2::pay::split_vec', [coin, any(vectors)], [IOTA]),
      send: () =>
        this.call('0x2::pay::split_and_transfer', [coin, any(amounts), any(recipients)], [IOTA]),
      unknown: () => this.call('0xbad::m::f', [any(amounts)]),
    };
    const weights = {
      mint: 6,
      build: 5,
      raise: 2,
      append: 2,
      push: 1,
      split: 2,
      send: 2,
      unknown: 1,
    };
    // Few kinds each, since no rule allows all of them together.
    const kinds = Array.from({ length: random.integer(1, 2) }, () => random.weighted(weights));
    for (let left = random.integer(1, 5); left > 0; left--) deeds[random.pick(kinds)]!();
  }

  /** Calls that take large inputs, many inputs, or long types, again and again. */
  private addMany(calls: number): void {
    const { random, cast } = this;
    const size = random.integer(0, LARGEST_INPUT);
    const recipient = this.put(pureAddress(cast.recipients[0]!));
    const bytes = this.putBytes(bcs.vector(bcs.u8()).serialize(new Uint8Array(size).fill(1)));
    const text = this.put(pureText('x'.repeat(size)));
    const numbers = this.putBytes(
      bcs.vector(bcs.u64()).serialize(Array<bigint>(size >> 3).fill(7n)),
    );
    const amount = this.put(pureU64(5n));
    const deep = random.integer(1, 400);
    const shape = random.weighted({
      text: 2,
      bytes: 2,
      numbers: 2,
      nested: 2,
      wide: 2,
      mint: 2,
      names: 1,
    });
    const several = (count: number, make: (index: number) => RawCommand) =>
      Array.from({ length: count }, (_, index) => make(index));
    const shapes: Record<typeof shape, () => readonly RawCommand[]> = {
      text: () => [moveCallWith(`${GARAGE}::build_car`, [text, recipient])],
      bytes: () => [moveCallWith(PUSH, [bytes, amount], ['u8'])],
      numbers: () => [moveCallWith('0x2::pay::split_vec', [amount, numbers], [IOTA])],
      nested: () =>
        several(20, () => moveCallWith(PUSH, [text, bytes], [this.nested(random.integer(1, 12))])),
      wide: () => [
        moveCallWith(PUSH, [bytes, text], [`${'vector<'.repeat(deep)}u8${'>'.repeat(deep)}`]),
      ],
      mint: () => [moveCallWith('0xdec0::token::mint', [amount, recipient])],
      names: () =>
        several(100, (index) =>
          moveCallWith(`${GARAGE}::f${index}`, Array<RawArgument>(20).fill(bytes)),
        ),
    };
    const choices = shapes[shape]();
    for (let made = 0; made < calls; made++) this.#commands.push(random.pick(choices));
  }

  private nested(depth: number): string {
    const levels = Array.from({ length: depth }, () => this.random.pick(WRAPPERS));
    return `${levels.join('')}0x1::string::String${'>'.repeat(depth)}`;
  }

  private call(target: string, args: readonly RawArgument[], types: readonly string[] = []): void {
    this.#commands.push(moveCallWith(target, args, types));
  }

  private put(input: RawInput): RawArgument {
    return { Input: this.#inputs.push(input) - 1 };
  }

  private putBytes(value: { toBytes(): Uint8Array }): RawArgument {
    return this.put({ Pure: { bytes: value.toBytes() } });
  }
}
