import type { ExecutionSession } from './execution-session.js';
import type { MoveLocation, RuntimeObject, RuntimeValue } from './execution-values.js';
import { parseMoveType, type MoveType } from './move-type.js';

/** Arguments of a native function. */
export interface NativeCall {
  readonly session: ExecutionSession;
  readonly typeArguments: readonly string[];
  /** Without the transaction context. A reference to an object is the object itself. */
  readonly values: readonly RuntimeValue[];
  readonly location: MoveLocation;
}

export type NativeBody = (call: NativeCall) => readonly RuntimeValue[];

export interface MoveFunction {
  readonly name: string;
  readonly isEntry: boolean;
  /** Required abilities of each type parameter. */
  readonly typeParameters: readonly (readonly string[])[];
  readonly parameters: readonly MoveType[];
  readonly returns: readonly MoveType[];
  /** Computation units in addition to those of any command. */
  readonly units: bigint;
  readonly run: NativeBody;
}

export interface MoveModule {
  readonly packageId: string;
  readonly name: string;
  readonly functions: readonly MoveFunction[];
}

interface FunctionDraft {
  readonly parameters?: readonly string[];
  readonly returns?: readonly string[];
  readonly typeParameters?: readonly (readonly string[])[];
  readonly isEntry?: boolean;
  readonly units?: bigint;
}

/** A public function; types as text, see `parseMoveType`. */
export function moveFunction(name: string, draft: FunctionDraft, run: NativeBody): MoveFunction {
  return {
    name,
    isEntry: draft.isEntry ?? false,
    typeParameters: draft.typeParameters ?? [],
    parameters: (draft.parameters ?? []).map(parseMoveType),
    returns: (draft.returns ?? []).map(parseMoveType),
    units: draft.units ?? 50n,
    run,
  };
}

export function objectOf(value: RuntimeValue | undefined): RuntimeObject {
  if (value?.kind !== 'object') throw new TypeError('an object was checked for before');
  return value.object;
}

export function objectsOf(value: RuntimeValue | undefined): readonly RuntimeObject[] {
  if (value?.kind === 'objects') return value.objects;
  return [];
}

export function bytesOf(value: RuntimeValue | undefined): Buffer {
  if (value?.kind !== 'raw') throw new TypeError('a pure value was checked for before');
  return Buffer.from(value.bytes.buffer, value.bytes.byteOffset, value.bytes.length);
}

export function u64Of(value: RuntimeValue | undefined): bigint {
  return bytesOf(value).readBigUInt64LE();
}

export function addressOf(value: RuntimeValue | undefined): string {
  return `0x${bytesOf(value).toString('hex')}`;
}

export function asValue(object: RuntimeObject): RuntimeValue {
  return { kind: 'object', object };
}
