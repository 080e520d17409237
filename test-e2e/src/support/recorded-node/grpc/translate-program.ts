import { bcs } from '@iota/iota-sdk/bcs';
import { toBase64 } from '@iota/iota-sdk/utils';
import type { GrpcScenario } from './grpc-scenario.js';

export type TransactionData = NonNullable<ReturnType<typeof bcs.TransactionData.parse>['V1']>;
export type Program = NonNullable<TransactionData['kind']['ProgrammableTransaction']>;
type Command = Program['commands'][number];
type MoveCall = NonNullable<Command['MoveCall']>;
type Argument = MoveCall['arguments'][number];

/** The recording's Move package. */
export const RECORDED_PACKAGE =
  '0x685aeb0541a69c1a112ff2a91583bc38d5301b0ffcefc3df9b878593e922a7b1';

/** Its upgrade. */
export const UPGRADED_PACKAGE =
  '0xe89a88e394d56a696ef3a9bb9579de7d0a3ddaee36268e548c6a916f0f47e209';

/** The substitute for an owned object of the recording. */
export type Stand = 'coin' | 'car' | 'frozen car' | 'upgrade cap';

interface Equivalent {
  /** Module and function of the demo package, or a whole target. */
  readonly target: string;
  readonly stand?: Stand;
  /** Pure arguments in place of the recorded ones. */
  readonly pure?: (sender: string) => readonly Uint8Array[];
  readonly ofCars?: boolean;
}

const MODEL = bcs.string().serialize('car').toBytes();
const ALL_UNITS = bcs.u64().serialize(18_446_744_073_709_551_615n).toBytes();

/** Functions of the recorded package, `main`, and those that devnet runs in their place. */
const EQUIVALENTS: Readonly<Record<string, Equivalent>> = {
  time: { target: '0x2::clock::timestamp_ms' },
  emit: {
    target: 'garage::build_car',
    pure: (sender) => [MODEL, bcs.Address.serialize(sender).toBytes()],
  },
  bump: { target: 'garage::count' },
  peek: { target: 'garage::count_value' },
  look: { target: 'garage::mileage', stand: 'frozen car' },
  set: { target: 'garage::drive' },
  box: { target: 'garage::new_car', pure: () => [MODEL] },
  freeze_box: { target: '0x2::transfer::public_freeze_object', ofCars: true },
  wrap_and_leave: { target: 'garage::scrap' },
  fail: { target: 'garage::fail' },
  spin: { target: 'garage::burn', pure: () => [ALL_UNITS] },
  nothing: { target: 'garage::nothing' },
};

/** Replaces the calls of the recorded package by those of the demo package. */
export function translateCalls(
  { inputs, commands }: Program,
  scenario: GrpcScenario,
  sender: string,
): void {
  for (const { MoveCall: call } of commands) {
    if (call?.package !== RECORDED_PACKAGE) continue;
    const equivalent = EQUIVALENTS[call.function];
    if (!equivalent) throw new Error(`nothing stands for ${call.function}`);
    const [module, name, ...rest] = equivalent.target.split('::') as [string, string, string?];
    const isWhole = rest.length > 0;
    call.package = bcs.Address.parse(
      bcs.Address.serialize(isWhole ? module : scenario.demoPackage).toBytes(),
    );
    call.module = isWhole ? name : module;
    call.function = rest[0] ?? name;
    if (equivalent.ofCars) call.typeArguments = [scenario.carType];
    if (equivalent.pure)
      call.arguments = equivalent.pure(sender).map((bytes) => addPure(inputs, bytes));
  }
}

function addPure(inputs: Program['inputs'], bytes: Uint8Array): Argument {
  inputs.push({ $kind: 'Pure', Pure: { bytes: toBase64(bytes) } });
  return { $kind: 'Input', Input: inputs.length - 1 };
}

/** The substitute for the object of an input, by its use. */
export function standFor({ commands }: Program, index: number): Stand {
  const isInput = (argument: Argument) => argument.$kind === 'Input' && argument.Input === index;
  for (const { MoveCall: call, SplitCoins: split, MergeCoins: merge } of commands) {
    if (split && isInput(split.coin)) return 'coin';
    if (merge && [merge.destination, ...merge.sources].some(isInput)) return 'coin';
    if (!call?.arguments.some(isInput)) continue;
    if (call.function === 'authorize_upgrade') return 'upgrade cap';
    return EQUIVALENTS[call.function]?.stand ?? 'car';
  }
  return 'car';
}
