import type { Owner } from './engine-interface.js';
import type { FieldValue, StructLayout } from './move-value.js';
import type { StoredObject } from './stored-object.js';
import { ExecutionFailed } from './execution-failed.js';

/** An object during a transaction; `values` are changed in place. */
export interface RuntimeObject {
  readonly id: string;
  readonly type: string;
  readonly layout: StructLayout;
  readonly values: Record<string, FieldValue>;
  /** The version it was loaded from; null if this transaction created it. */
  readonly origin: StoredObject | null;
  /** Null while it is a value without an owner. */
  owner: Owner | null;
  deleted: boolean;
}

/** `bytes` change while a function has it as a mutable reference. */
export interface RawValue {
  readonly kind: 'raw';
  readonly type: string;
  bytes: Uint8Array;
}

export type RuntimeValue =
  | { readonly kind: 'object'; readonly object: RuntimeObject }
  | RawValue
  | {
      readonly kind: 'objects';
      /** Type of the elements. */
      readonly element: string;
      readonly objects: readonly RuntimeObject[];
    };

export function typeOfValue(value: RuntimeValue): string {
  if (value.kind === 'object') return value.object.type;
  return value.kind === 'raw' ? value.type : `vector<${value.element}>`;
}

export function rawU64(value: bigint): RuntimeValue {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64LE(value);
  return { kind: 'raw', type: 'u64', bytes };
}

/** `kind` is one of the node's kinds of argument errors. */
export function argumentFailure(index: number, kind: string): ExecutionFailed {
  return new ExecutionFailed(`CommandArgumentError { arg_idx: ${index}, kind: ${kind} }`);
}

/** Position of an abort in Move code. */
export interface MoveLocation {
  readonly packageId: string;
  readonly module: string;
  readonly functionName: string;
  readonly functionIndex: number;
}

export function abort(location: MoveLocation, code: bigint): ExecutionFailed {
  const { packageId, module, functionName, functionIndex } = location;
  return new ExecutionFailed(
    `MoveAbort(MoveLocation { module: ModuleId { address: ${packageId.slice(2)}, name: Identifier("${module}") }, ` +
      `function: ${functionIndex}, instruction: 0, function_name: Some("${functionName}") }, ${code})`,
  );
}
