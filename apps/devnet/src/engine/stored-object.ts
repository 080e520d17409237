import { toBase58 } from '@iota/iota-sdk/utils';
import type { MoveJson, ObjectRecord, ObjectReference, Owner } from './engine-interface.js';
import { digestOf } from './hash.js';
import { encodeStruct, showFields, type Fields, type StructLayout } from './move-value.js';
import { type PackageModule, serializeObject } from './serialize-object.js';
import { coinTypeOf } from './type-tag.js';
import { sizeForGas } from './gas-schedule.js';

const NONE = new Uint8Array(0);

/** One version of an object. Derived data is computed on demand; only digests are cached. */
export class StoredObject implements ObjectRecord {
  readonly coin: ObjectRecord['coin'];
  #digest: string | undefined;
  #reference: ObjectReference | undefined;

  constructor(
    readonly objectId: string,
    readonly version: number,
    readonly owner: Owner,
    readonly type: string,
    /** Null for a package. */
    readonly layout: StructLayout | null,
    readonly values: Fields,
    readonly previousTransaction: string,
    readonly storageRebate: bigint,
    /** Of a package. */
    readonly modules: readonly PackageModule[] = [],
    /** Of a package: the id of its first version. */
    readonly originalId = objectId,
  ) {
    const coinType = coinTypeOf(type);
    this.coin = coinType === null ? null : { coinType, balance: values.balance as bigint };
  }

  /** The next version with other values, not written by a transaction. */
  nextVersion(values: Fields): StoredObject {
    return this.next(values, this.previousTransaction);
  }

  /** The next version with the same values. */
  writtenBy(transaction: string): StoredObject {
    return this.next(this.values, transaction);
  }

  private next(values: Fields, transaction: string): StoredObject {
    return new StoredObject(
      this.objectId,
      this.version + 1,
      this.owner,
      this.type,
      this.layout,
      values,
      transaction,
      this.storageRebate,
    );
  }

  get hasPublicTransfer(): boolean {
    return this.layout?.abilities.includes('Store') ?? false;
  }

  get contents(): Uint8Array {
    return this.layout ? encodeStruct(this.layout, this.objectId, this.values) : NONE;
  }

  get fields(): { [field: string]: MoveJson } {
    return this.layout ? showFields(this.layout, this.objectId, this.values) : {};
  }

  get bcs(): Uint8Array {
    return serializeObject(this);
  }

  get digest(): string {
    return (this.#digest ??= digestOf('Object', this.bcs));
  }

  get reference(): ObjectReference {
    return (this.#reference ??= {
      objectId: this.objectId,
      version: this.version,
      digest: this.digest,
    });
  }

  get sizeForGas(): number {
    return sizeForGas(this.type, this.contents.length);
  }
}

/** The digest that a node shows for deleted objects. */
export const DELETED_DIGEST = toBase58(new Uint8Array(32).fill(99));
