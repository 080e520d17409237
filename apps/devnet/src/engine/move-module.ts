import type { DeclaredType, FieldText } from '@forecourt/ledger/move-bytecode';
import type { ExecutionSession } from './execution-session.js';
import type { MoveLocation, RawValue, RuntimeObject, RuntimeValue } from './execution-values.js';
import { ExecutionFailed } from './execution-failed.js';
import { parseMoveType, type MoveType } from './move-type.js';
import type { StructLayout } from './move-value.js';

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
  readonly types?: readonly DeclaredType[];
}

/** The declaration of a struct as its module contains it. */
export function declareStruct({ name, abilities, fields }: StructLayout): DeclaredType {
  const id: readonly FieldText[] = abilities.includes('Key') ? [['id', '0x2::object::UID']] : [];
  const others = fields.map(([field, type]): FieldText => [
    field,
    type === 'string' ? '0x1::string::String' : type,
  ]);
  // A struct without fields has this one.
  const all = [...id, ...others];
  return { name, fields: all.length > 0 ? all : [['dummy_field', 'bool']] };
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

/** A value of a type without objects. Throws `ExecutionFailed` for one that devnet has no functions for. */
export function rawOf(value: RuntimeValue | undefined): RawValue {
  if (value?.kind !== 'raw') throw new ExecutionFailed('FeatureNotYetSupported');
  return value;
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
