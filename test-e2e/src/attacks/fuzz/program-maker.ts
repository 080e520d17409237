import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Reservation } from '../../support/application.js';
import {
  CLOCK,
  moveCall,
  type ObjectRef,
  ownedObject,
  type Program,
  pureAddress,
  pureText,
  pureU64,
  type RawArgument,
  type RawCommand,
  type RawInput,
  receivedObject,
  sharedObject,
} from '../../support/raw-transaction.js';
import type {
  ArgumentPlan,
  CommandPlan,
  Deed,
  InputPlan,
  ObjectPlan,
  Part,
} from './adversarial-plan.js';
import { findObject } from './find-object.js';
import { makeCommand } from './make-command.js';
import type { LedgerWorld } from './ledger-world.js';

const SOME_DIGEST = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
const LAST_VERSION = '9223372036854775807';
const GARAGE = '0xdec0::garage';

/** Turns a plan into inputs and commands, with the objects that currently exist. */
export class ProgramMaker {
  readonly #inputs: RawInput[] = [];
  readonly #commands: RawCommand[] = [];
  #madeUp = 0;

  constructor(
    private readonly world: LedgerWorld,
    private readonly user: Ed25519Keypair,
    private readonly reservation: Reservation,
  ) {}

  make(parts: readonly Part[]): Program {
    for (const part of parts) {
      if (part.kind === 'deed') this.addDeed(part.deed);
      else this.addAnything(part.inputs, part.commands);
    }
    return { inputs: this.#inputs, commands: this.#commands };
  }

  private addDeed(deed: Deed): void {
    const { cars, coins } = this.world.ownedBy(this.user);
    switch (deed.kind) {
      case 'build': {
        const [model, owner] = [pureText('model'), pureAddress(this.address(deed.for))];
        const places = [this.put(model), this.put(owner)];
        for (let made = 0; made < deed.count; made++) {
          this.#commands.push(moveCall(`${GARAGE}::build_car`, places));
        }
        return;
      }
      case 'burn':
        this.call(`${GARAGE}::burn`, [pureU64(deed.units)]);
        return;
      case 'drive':
        this.withObject(cars, deed.index, (car) => {
          this.call(`${GARAGE}::drive`, [car, pureU64(1)]);
        });
        return;
      case 'scrap':
        this.withObject(cars, deed.index, (car) => this.call(`${GARAGE}::scrap`, [car]));
        return;
      case 'give':
        this.withObject(cars, deed.index, (car) => {
          this.call(`${GARAGE}::give_car`, [car, pureAddress(this.address('other'))]);
        });
        return;
      case 'split':
        this.withObject(coins, deed.index, (coin) => this.splitAndGive(coin));
        return;
      case 'merge':
        this.withObject(coins, deed.index, (coin) => {
          const source = coins[(deed.index + 1) % coins.length]!;
          const places = [this.put(coin), this.put(ownedObject(source))];
          const [destination, other] = places.map((Input) => ({ Input }));
          this.#commands.push({ MergeCoins: { destination: destination!, sources: [other!] } });
        });
        return;
      case 'fail':
        this.call(`${GARAGE}::fail`, [pureU64(7)]);
        return;
      case 'read':
        this.call('0x2::clock::timestamp_ms', [CLOCK]);
        return;
      case 'count':
        this.call(`${GARAGE}::count`, [sharedObject(this.world.counterId, true)]);
        return;
      case 'leave':
        this.call(`${GARAGE}::new_car`, [pureText('unsold')]);
    }
  }

  private splitAndGive(coin: RawInput): void {
    const [from, amount, recipient] = [
      this.put(coin),
      this.put(pureU64(1_000)),
      this.put(pureAddress(this.address('other'))),
    ];
    const Result = this.#commands.length;
    this.#commands.push(
      { SplitCoins: { coin: { Input: from }, amounts: [{ Input: amount }] } },
      { TransferObjects: { objects: [{ Result }], address: { Input: recipient } } },
    );
  }

  private addAnything(inputs: readonly InputPlan[], commands: readonly CommandPlan[]): void {
    for (const input of inputs) this.addInput(input);
    for (const command of commands)
      this.#commands.push(makeCommand(command, (plan) => this.argument(plan)));
  }

  private addInput(plan: InputPlan): void {
    switch (plan.kind) {
      case 'object':
        this.put(this.objectInput(plan));
        return;
      case 'u64':
        this.put(pureU64(plan.value));
        return;
      case 'address':
        this.put(pureAddress(this.address(plan.whose)));
        return;
      case 'bytes':
        this.put({ Pure: { bytes: plan.bytes } });
        return;
      case 'again':
        if (this.#inputs.length > 0) this.put(this.#inputs[plan.of % this.#inputs.length]!);
        return;
      case 'many':
        for (let made = 0; made < plan.count; made++) this.put(ownedObject(this.madeUpRef()));
    }
  }

  private objectInput(plan: ObjectPlan): RawInput {
    const { world, user, reservation } = this;
    const newest = findObject(plan, world, user, reservation) ?? this.madeUpRef();
    const versioned = {
      newest: () => newest,
      former: () => this.world.formerVersion(newest),
      next: () => ({ ...newest, version: String(BigInt(newest.version) + 1n) }),
      last: () => ({ ...newest, version: LAST_VERSION }),
    }[plan.version]();
    const ref = plan.wrongDigest ? { ...versioned, digest: SOME_DIGEST } : versioned;
    if (plan.as === 'receiving') return receivedObject(ref);
    if (plan.as === 'owned') return ownedObject(ref);
    return sharedObject(ref.objectId, plan.mutable, plan.wrongStart ? 9 : 1);
  }

  private madeUpRef(): ObjectRef {
    this.#madeUp += 1;
    const mark = `${this.reservation.reservation_id.toString(16)}${this.#madeUp.toString(16)}`;
    return { objectId: `0xfade${mark.padStart(60, '0')}`, version: 3, digest: SOME_DIGEST };
  }

  /** Usually an existing input: a reference to a missing one is refused before all other checks. */
  private argument({ kind, index, second }: ArgumentPlan): RawArgument {
    const within = (count: number) => (index === 20 ? index : index % Math.max(1, count));
    switch (kind) {
      case 'gas':
        return { GasCoin: true };
      case 'input':
        return { Input: within(this.#inputs.length) };
      case 'result':
        return { Result: within(this.#commands.length) };
      case 'nested':
        return { NestedResult: [within(this.#commands.length), second] };
    }
  }

  private withObject(
    choices: readonly ObjectRef[],
    index: number,
    use: (object: RawInput) => void,
  ): void {
    const chosen = choices[index % Math.max(1, choices.length)];
    if (chosen) use(ownedObject(chosen));
  }

  private call(target: string, inputs: readonly RawInput[]): void {
    this.#commands.push(
      moveCall(
        target,
        inputs.map((input) => this.put(input)),
      ),
    );
  }

  private put(input: RawInput): number {
    return this.#inputs.push(input) - 1;
  }

  private address(whose: 'own' | 'other'): string {
    const { users } = this.world;
    const next = users[(users.indexOf(this.user) + 1) % users.length]!;
    return (whose === 'own' ? this.user : next).toIotaAddress();
  }
}
