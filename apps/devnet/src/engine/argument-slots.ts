import type { Argument } from './transaction-data.js';
import {
  argumentFailure,
  typeOfValue,
  type RuntimeObject,
  type RuntimeValue,
} from './execution-values.js';
import { isPureOf, isPureType } from './move-value.js';

/** The place of a value; empty after the value has been moved out. */
export interface Slot {
  /** Pure inputs have no type until they are used. */
  content: RuntimeValue | { readonly kind: 'pure'; readonly bytes: Uint8Array } | null;
  readonly access: 'gas' | 'owned' | 'shared' | 'read-only' | 'result';
}

export type Use = 'by-value' | 'by-mutable-reference' | 'by-reference';

/** The arguments of one command: finds their slots and prevents conflicting borrows. */
export class ArgumentSlots {
  readonly #used = new Map<Slot, Use>();

  constructor(
    private readonly gas: Slot,
    private readonly inputs: readonly Slot[],
    private readonly results: readonly (readonly Slot[])[],
  ) {}

  /** Takes the argument at `index` as a value of `type` (null: any type). Throws `ExecutionFailed`. */
  take(argument: Argument, index: number, use: Use, type: string | null): RuntimeValue {
    const slot = this.find(argument, index);
    const value = this.typed(slot, index, type);
    const copied = use === 'by-value' && value.kind === 'raw';
    this.claim(slot, index, copied ? 'by-reference' : use);
    if (value.kind !== 'raw') this.checkAccess(slot, index, use);
    if (copied) return { ...value };
    if (use === 'by-value') slot.content = null;
    // A pure value has a type from then on, and what the function makes of it.
    if (use === 'by-mutable-reference') slot.content = value;
    return value;
  }

  /** Takes a coin of any type. Throws `ExecutionFailed`. */
  takeCoin(argument: Argument, index: number, use: Use): RuntimeObject {
    const slot = this.find(argument, index);
    if (slot.content?.kind === 'pure') throw argumentFailure(index, 'TypeMismatch');
    if (slot.content?.kind === 'object' && !slot.content.object.type.startsWith('0x2::coin::Coin<'))
      throw argumentFailure(index, 'TypeMismatch');
    return this.takeObject(argument, index, use);
  }

  takeObject(argument: Argument, index: number, use: Use): RuntimeObject {
    const slot = this.find(argument, index);
    if (slot.content && slot.content.kind !== 'object') {
      throw argumentFailure(index, 'TypeMismatch');
    }
    const value = this.take(argument, index, use, null);
    if (value.kind !== 'object') throw argumentFailure(index, 'TypeMismatch');
    return value.object;
  }

  private find(argument: Argument, index: number): Slot {
    switch (argument.$kind) {
      case 'GasCoin':
        return this.gas;
      case 'Input': {
        const slot = this.inputs[argument.Input];
        if (!slot) throw argumentFailure(index, `IndexOutOfBounds { idx: ${argument.Input} }`);
        return slot;
      }
      case 'Result': {
        const results = this.results[argument.Result];
        if (!results) throw argumentFailure(index, `IndexOutOfBounds { idx: ${argument.Result} }`);
        if (results.length !== 1) {
          throw argumentFailure(index, `InvalidResultArity { result_idx: ${argument.Result} }`);
        }
        return results[0]!;
      }
      case 'NestedResult':
        return this.findNested(argument.NestedResult, index);
    }
  }

  private findNested([result, position]: [number, number], index: number): Slot {
    const results = this.results[result];
    if (!results) throw argumentFailure(index, `IndexOutOfBounds { idx: ${result} }`);
    const slot = results[position];
    if (slot) return slot;
    throw argumentFailure(
      index,
      `SecondaryIndexOutOfBounds { result_idx: ${result}, secondary_idx: ${position} }`,
    );
  }

  private typed(slot: Slot, index: number, type: string | null): RuntimeValue {
    const content = slot.content;
    if (content === null) throw argumentFailure(index, 'InvalidValueUsage');
    if (content.kind === 'pure') {
      if (type === null || !isPureType(type)) {
        throw argumentFailure(index, 'InvalidUsageOfPureArg');
      }
      if (!isPureOf(type, content.bytes)) throw argumentFailure(index, 'InvalidBCSBytes');
      return { kind: 'raw', type, bytes: content.bytes };
    }
    if (type !== null && typeOfValue(content) !== type) {
      throw argumentFailure(index, 'TypeMismatch');
    }
    return content;
  }

  private claim(slot: Slot, index: number, use: Use): void {
    const before = this.#used.get(slot);
    if (before !== undefined && (before !== 'by-reference' || use !== 'by-reference')) {
      throw argumentFailure(index, 'InvalidValueUsage');
    }
    this.#used.set(slot, use);
  }

  private checkAccess(slot: Slot, index: number, use: Use): void {
    if (slot.access === 'read-only' && use === 'by-mutable-reference') {
      throw argumentFailure(index, 'InvalidObjectByMutRef');
    }
    if (use !== 'by-value') return;
    if (slot.access === 'read-only' || slot.access === 'shared') {
      throw argumentFailure(index, 'InvalidObjectByValue');
    }
  }
}
