import { fromBase58 } from '@iota/iota-sdk/utils';
import type { EventRecord, Owner } from './engine-interface.js';
import { hash, toHexId } from './hash.js';
import {
  encodeStruct,
  showFields,
  type Fields,
  type StructLayout,
  COIN_LAYOUT,
} from './move-value.js';
import type { RuntimeObject } from './execution-values.js';
import type { PackageModule } from './serialize-object.js';
import type { StoredObject } from './stored-object.js';
import type { GasMeter } from './gas-meter.js';

/** Hash scope of ids derived from a transaction. */
const REGULAR_OBJECT_ID = 0xf1;

export interface SessionFacts {
  readonly digest: string;
  readonly sender: string;
  readonly timestampMs: number;
  readonly meter: GasMeter;
  /** Packages named by the program. */
  readonly packages: readonly StoredObject[];
}

export interface NewPackage {
  readonly id: string;
  readonly modules: readonly PackageModule[];
  /** Bytes of its modules. */
  readonly size: number;
  readonly version: number;
  /** The id of its first version. */
  readonly originalId: string;
}

/** The objects, packages and events of a running transaction. */
export class ExecutionSession {
  readonly objects = new Map<string, RuntimeObject>();
  readonly events: EventRecord[] = [];
  /** Changes of supply, by coin type. */
  readonly supply = new Map<string, bigint>();
  /** Published packages. */
  readonly packages: NewPackage[] = [];
  #created = 0n;

  constructor(readonly facts: SessionFacts) {}

  load(origin: StoredObject, layout: StructLayout): RuntimeObject {
    const object: RuntimeObject = {
      id: origin.objectId,
      type: origin.type,
      layout,
      values: { ...origin.values },
      origin,
      owner: origin.owner,
      deleted: false,
    };
    this.objects.set(object.id, object);
    return object;
  }

  create(type: string, layout: StructLayout, values: Fields): RuntimeObject {
    const object: RuntimeObject = {
      id: this.nextId(),
      type,
      layout,
      values: { ...values },
      origin: null,
      owner: null,
      deleted: false,
    };
    this.objects.set(object.id, object);
    return object;
  }

  /** The next version of `before`, or a new package. Returns its id. */
  createPackage(
    modules: readonly PackageModule[],
    size: number,
    before: StoredObject | null,
  ): string {
    const id = this.nextId();
    const version = (before?.version ?? 0) + 1;
    this.packages.push({ id, modules, size, version, originalId: before?.originalId ?? id });
    return id;
  }

  /** A package named by the program; its existence has been checked. */
  package(id: string): StoredObject {
    const known = this.facts.packages.find(({ objectId }) => objectId === id);
    if (!known) throw new TypeError(`package ${id} was looked up before`);
    return known;
  }

  createCoin(coinType: string, balance: bigint): RuntimeObject {
    return this.create(`0x2::coin::Coin<${coinType}>`, COIN_LAYOUT, { balance });
  }

  /** BLAKE2b-256 of the scope, the transaction's digest and the number of earlier ids. */
  private nextId(): string {
    const preimage = Buffer.alloc(41);
    preimage[0] = REGULAR_OBJECT_ID;
    preimage.set(fromBase58(this.facts.digest), 1);
    preimage.writeBigUInt64LE(this.#created++, 33);
    return toHexId(hash(preimage));
  }

  delete(object: RuntimeObject): void {
    object.deleted = true;
    object.owner = null;
  }

  transfer(object: RuntimeObject, owner: Owner): void {
    object.owner = owner;
  }

  changeSupply(coinType: string, amount: bigint): void {
    this.supply.set(coinType, (this.supply.get(coinType) ?? 0n) + amount);
  }

  emit(packageId: string, module: string, type: string, layout: StructLayout, values: Fields) {
    this.events.push({
      id: { txDigest: this.facts.digest, eventSeq: this.events.length },
      packageId,
      transactionModule: module,
      sender: this.facts.sender,
      type,
      fields: showFields(layout, null, values),
      // A copy, so that the stored event does not retain the buffer pool.
      bcs: new Uint8Array(encodeStruct(layout, null, values)),
      timestampMs: this.facts.timestampMs,
    });
  }
}
