import type { IotaObjectResponse } from '@iota/iota-sdk/client';
import { Inputs, Transaction } from '@iota/iota-sdk/transactions';
import type { InspectedInputs, RecentObject } from '../../ledger.js';
import type { ObjectReference } from '../../object-reference.js';
import { decodeTransaction } from '../transactions/decoding/decode-transaction.js';
import { inspectInputs } from './inspect-inputs.js';
import { KnownObjects } from './known-objects.js';
import type { NodeClient } from '../client/node-client.js';
import { createJsonRpcClient } from '../json-rpc/create-json-rpc-client.js';
import { anAddress, aReference, aTransaction } from '../transactions/transaction.test-support.js';

/** The full form of a short id. */
export const full = (digits: string) => `0x${digits.padStart(64, '0')}`;

/** A node that shows the configured objects; all others do not exist. */
export class ShownObjects {
  readonly #shown = new Map<string, IotaObjectResponse>();
  readonly #known = new KnownObjects();
  /** Objects made by transactions of the fleet. */
  readonly recent = new Map<string, RecentObject>();
  /** The ids of every read. */
  readonly reads: string[][] = [];

  constructor() {
    this.showPackage(full('2'));
  }

  show(objectId: string, owner: unknown, more: Partial<ObjectReference> = {}): ObjectReference {
    const { version, digest } = { ...aReference(), ...more };
    const data = { objectId, version: String(version), digest, type: '0x2::m::T', owner };
    this.answer(objectId, { data });
    return { objectId, version, digest };
  }

  showPackage(objectId: string): ObjectReference {
    const { version, digest } = aReference();
    const data = { objectId, version: String(version), digest, type: 'package' };
    this.answer(objectId, { data: { ...data, owner: 'Immutable' } });
    return { objectId, version, digest };
  }

  /** Records that final effects made this of an object. */
  make(reference: ObjectReference, owner: unknown): ObjectReference {
    this.recent.set(reference.objectId, { ...reference, owner });
    return reference;
  }

  /** The node's raw answer about an object. */
  answer(objectId: string, response: object): void {
    this.#shown.set(objectId, response);
  }

  async inspect(
    fill: (tx: Transaction) => unknown,
    sender = anAddress(),
    epoch = 1n,
    change: (transaction: ReturnType<typeof decodeTransaction>) => typeof transaction = (same) =>
      same,
  ): Promise<InspectedInputs> {
    const { bytes } = await aTransaction((tx) => {
      tx.setSender(sender);
      fill(tx);
    });
    const transaction = change(decodeTransaction(bytes));
    return inspectInputs(this.client, transaction, this.#known, epoch, async () => this.recent);
  }

  private get client(): NodeClient {
    return createJsonRpcClient(({ method, params: [ids] }) => {
      if (method === 'iota_getChainIdentifier') return Promise.resolve('a1b2c3d4');
      this.reads.push(ids as string[]);
      const notThere = (id: string) => ({ error: { code: 'notExists', object_id: id } });
      return Promise.resolve((ids as string[]).map((id) => this.#shown.get(id) ?? notThere(id)));
    });
  }
}

export const owned = (tx: Transaction, reference: ObjectReference) =>
  tx.object(Inputs.ObjectRef({ ...reference }));

export const received = (tx: Transaction, reference: ObjectReference) =>
  tx.object(Inputs.ReceivingRef({ ...reference }));

export const shared = (
  tx: Transaction,
  objectId: string,
  initialSharedVersion: number,
  mutable = true,
) => tx.object(Inputs.SharedObjectRef({ objectId, initialSharedVersion, mutable }));

/** The owner of an object that is shared since that version. */
export const sharedSince = (since: number) => ({
  Shared: { initial_shared_version: String(since) },
});
