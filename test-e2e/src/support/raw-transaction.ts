import { bcs } from '@iota/iota-sdk/bcs';
import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { TransactionDataBuilder } from '@iota/iota-sdk/transactions';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { GasCoinReference } from '@forecourt/contracts';
import type { Reservation, SignedTransaction } from './application.js';

export type RawInput = typeof bcs.CallArg.$inferInput;
export type RawCommand = typeof bcs.Command.$inferInput;
export type RawArgument = typeof bcs.Argument.$inferInput;
export interface ObjectRef {
  readonly objectId: string;
  readonly version: number | string;
  readonly digest: string;
}

/** Inputs and commands in the ledger's own encoding. */
export interface Program {
  readonly inputs: readonly RawInput[];
  readonly commands: readonly RawCommand[];
}

export interface RawTransaction {
  readonly program: Program;
  readonly user: Ed25519Keypair;
  readonly reservation: Pick<Reservation, 'sponsor_address' | 'gas_coins'>;
  /** Default 10 000 000. */
  readonly gasBudget?: number;
  /** Default 1 000, devnet's reference price. */
  readonly gasPrice?: number;
  /** Default: the reserved coins. */
  readonly payment?: readonly GasCoinReference[];
  /** Default: the sponsor. */
  readonly gasOwner?: string;
  /** The last epoch in which it is valid; absent: no expiration. */
  readonly expirationEpoch?: number;
}

export const REFERENCE_GAS_PRICE = 1_000;
const USUAL_BUDGET = 10_000_000;
/** The first variants of TransactionData and TransactionKind. */
const V1 = Uint8Array.of(0);
const PROGRAMMABLE = Uint8Array.of(0);

/** Encodes what a transaction does. */
export function serializeKind({ inputs, commands }: Program): Uint8Array {
  // A command that is repeated is encoded once.
  const encoded = new Map<RawCommand, Uint8Array>();
  const encode = (command: RawCommand) => {
    const bytes = encoded.get(command) ?? bcs.Command.serialize(command).toBytes();
    encoded.set(command, bytes);
    return bytes;
  };
  return Buffer.concat([
    PROGRAMMABLE,
    bcs.vector(bcs.CallArg).serialize(inputs).toBytes(),
    bcs.uleb128().serialize(commands.length).toBytes(),
    ...commands.map(encode),
  ]);
}

/** Encodes a transaction without a node, and without a builder that would refuse invalid ones. */
export function serializeRaw(transaction: RawTransaction): Uint8Array {
  const { program, user, reservation, expirationEpoch } = transaction;
  const payment = transaction.payment ?? reservation.gas_coins;
  const gasData = {
    payment: payment.map(({ objectId, version, digest }) => ({ objectId, version, digest })),
    owner: transaction.gasOwner ?? reservation.sponsor_address,
    price: transaction.gasPrice ?? REFERENCE_GAS_PRICE,
    budget: transaction.gasBudget ?? USUAL_BUDGET,
  };
  const expiration = expirationEpoch === undefined ? { None: true } : { Epoch: expirationEpoch };
  const parts = [
    V1,
    serializeKind(program),
    bcs.Address.serialize(user.toIotaAddress()).toBytes(),
    bcs.GasData.serialize(gasData).toBytes(),
    bcs.TransactionExpiration.serialize(expiration).toBytes(),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

/** Encodes and signs a transaction. */
export async function signRaw(transaction: RawTransaction): Promise<SignedTransaction> {
  const bytes = serializeRaw(transaction);
  const { signature } = await transaction.user.signTransaction(bytes);
  return {
    bytes,
    digest: TransactionDataBuilder.getDigestFromBytes(bytes),
    tx_bytes: Buffer.from(bytes).toString('base64'),
    user_sig: signature,
  };
}

export const pureU64 = (value: number | bigint): RawInput => pure(bcs.u64().serialize(value));
export const pureText = (value: string): RawInput => pure(bcs.string().serialize(value));
export const pureAddress = (value: string): RawInput => pure(bcs.Address.serialize(value));
export const ownedObject = (ref: ObjectRef): RawInput => ({ Object: { ImmOrOwnedObject: ref } });
export const receivedObject = (ref: ObjectRef): RawInput => ({ Object: { Receiving: ref } });

export function sharedObject(objectId: string, mutable: boolean, sharedSince = 1): RawInput {
  return { Object: { SharedObject: { objectId, initialSharedVersion: sharedSince, mutable } } };
}

/** The ledger's clock as a read-only input. */
export const CLOCK = sharedObject('0x6', false);

/** A call of `package::module::function` whose arguments are the inputs at these positions. */
export function moveCall(target: string, inputs: readonly number[] = []): RawCommand {
  return moveCallWith(
    target,
    inputs.map((input) => ({ Input: input })),
  );
}

export function moveCallWith(
  target: string,
  callArguments: readonly RawArgument[],
  typeArguments: readonly string[] = [],
): RawCommand {
  const [packageId, module, name] = target.split('::');
  return {
    MoveCall: {
      package: normalizeIotaAddress(packageId!),
      module: module!,
      function: name!,
      typeArguments: [...typeArguments],
      arguments: [...callArguments],
    },
  };
}

/** Reads the clock: needs no object of its sender, and leaves none. */
export function readClockProgram(): Program {
  return { inputs: [CLOCK], commands: [moveCall('0x2::clock::timestamp_ms', [0])] };
}

/** Uses this many units of computation. */
export function burnProgram(units: number): Program {
  return { inputs: [pureU64(units)], commands: [moveCall('0xdec0::garage::burn', [0])] };
}

/** Aborts in Move with this code. */
export function failProgram(code: number): Program {
  return { inputs: [pureU64(code)], commands: [moveCall('0xdec0::garage::fail', [0])] };
}

/** Creates this many cars for `owner`, whose storage the sponsor pays for. */
export function buildCarsProgram(owner: string, count = 1): Program {
  return {
    inputs: [pureText('model'), pureAddress(owner)],
    commands: Array.from({ length: count }, () => moveCall('0xdec0::garage::build_car', [0, 1])),
  };
}

export function driveCarProgram(car: ObjectRef, distance: number): Program {
  return {
    inputs: [ownedObject(car), pureU64(distance)],
    commands: [moveCall('0xdec0::garage::drive', [0, 1])],
  };
}

function pure(value: { toBytes(): Uint8Array }): RawInput {
  return { Pure: { bytes: value.toBytes() } };
}
