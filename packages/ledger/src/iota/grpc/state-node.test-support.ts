import { afterEach } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import {
  type GetObjectsRequest,
  GetObjectsResponseSchema,
  GetServiceInfoResponseSchema,
  LedgerService,
  type ListOwnedObjectsRequest,
  ListOwnedObjectsResponseSchema,
  type Object$ as NodeObject,
  ObjectSchema,
  serviceDefinition,
  StateService,
} from '../../node-messages/index.js';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { bcs } from '@iota/iota-sdk/bcs';
import { fromHex, toHex } from '@iota/iota-sdk/utils';
import { LedgerNodes } from '../nodes/ledger-nodes.js';

type Reply = (error: object | null, value?: unknown) => void;

interface Writable {
  write(message: unknown): void;
  end(): void;
}

export const addressOf = (digits: string) => `0x${digits.padStart(64, '0')}`;

/** A gas coin in the BCS of a node. */
function coinBcs(id: string, version: number, balance: bigint, owner: string): Uint8Array {
  const GAS_COIN = 1;
  return Buffer.concat([
    Uint8Array.of(0, 0, GAS_COIN),
    bcs.u64().serialize(version).toBytes(),
    bcs
      .byteVector()
      .serialize(Buffer.concat([fromHex(id), bcs.u64().serialize(balance).toBytes()]))
      .toBytes(),
    bcs.Owner.serialize({ AddressOwner: owner }).toBytes(),
    bcs.ObjectDigest.serialize('1'.repeat(32)).toBytes(),
    bcs.u64().serialize(0).toBytes(),
  ]);
}

/**
 * A full node that answers `GetObjects` and `ListOwnedObjects` as a real one of version 1.21 does: an object
 * that was deleted is not found, except at a former version; coins are listed by falling balance, and the
 * token of a page names the last one's balance.
 */
export class StateNode {
  /** The latest objects: coins with their balances. */
  readonly #latest = new Map<string, { readonly object: NodeObject; readonly balance: bigint }>();
  readonly #former = new Map<string, NodeObject>();
  /** The ids of each call; of a former version with the version. */
  readonly calls: string[][] = [];
  /** Called before each item of a read, and before each page of a listing: the ledger moves on meanwhile. */
  onRead: (ids: string) => void = () => undefined;
  pageSize = 1_000;
  /** Every page is the first. */
  repeatsPages = false;
  client!: LedgerNodes;

  static async start(): Promise<StateNode> {
    const server = new Server();
    const node = new StateNode();
    server.addService(serviceDefinition(LedgerService), {
      GetServiceInfo: (_call: unknown, reply: Reply) => {
        const chainId = { digest: new Uint8Array(32).fill(7) };
        reply(null, create(GetServiceInfoResponseSchema, { chainId }));
      },
      GetObjects: (call: Writable & { request: GetObjectsRequest }) => {
        call.write(create(GetObjectsResponseSchema, { objects: node.readAll(call.request) }));
        call.end();
      },
    });
    server.addService(serviceDefinition(StateService), {
      ListOwnedObjects: ({ request }: { request: ListOwnedObjectsRequest }, reply: Reply) =>
        reply(null, create(ListOwnedObjectsResponseSchema, node.listPage(request))),
    });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    node.client = new LedgerNodes({ urls: [`grpc://127.0.0.1:${port}`], timeoutMs: 5_000 });
    started.push(server);
    return node;
  }

  /** Makes or changes a coin. */
  put(id: string, version: number, balance = 5n, owner = addressOf('5')): void {
    const object = create(ObjectSchema, {
      reference: {
        objectId: { objectId: fromHex(id) },
        version: BigInt(version),
        digest: { digest: new Uint8Array(32).fill(version) },
      },
      bcs: { data: coinBcs(id, version, balance, owner) },
    });
    this.#latest.set(id, { object, balance });
    this.#former.set(`${id}@${version}`, object);
  }

  /** Deletes or wraps an object; its former versions stay. */
  remove(id: string): void {
    this.#latest.delete(id);
  }

  /** Answers with another object from now on. */
  alias(id: string, other: string): void {
    this.#latest.set(id, this.#latest.get(other)!);
  }

  prune(id: string, version: number): void {
    this.#former.delete(`${id}@${version}`);
  }

  private readAll({ requests }: GetObjectsRequest) {
    const ids = requests!.requests.map(({ objectRef }) => {
      const id = `0x${toHex(objectRef!.objectId!.objectId)}`;
      return objectRef!.version === undefined ? id : `${id}@${objectRef!.version}`;
    });
    this.calls.push(ids);
    return ids.map((name) => {
      this.onRead(name);
      const object = this.#latest.get(name)?.object ?? this.#former.get(name);
      if (object) return { result: { case: 'object', value: object } } as const;
      const message = `Object ${name.replace('@', ' at version ')} not found`;
      return { result: { case: 'error', value: { code: status.NOT_FOUND, message } } } as const;
    });
  }

  private listPage({ pageToken }: ListOwnedObjectsRequest) {
    this.onRead('page');
    const [balance, id] = pageToken ? Buffer.from(pageToken).toString().split(' ') : [];
    const after =
      balance === undefined || this.repeatsPages ? null : { balance: BigInt(balance), id: id! };
    const coins = [...this.#latest]
      .map(([coinId, coin]) => ({ id: coinId, ...coin }))
      .toSorted((one, other) => (isBefore(one, other) ? -1 : 1))
      .filter((coin) => after === null || isBefore(after, coin));
    const page = coins.slice(0, this.pageSize);
    const last = page.at(-1);
    return {
      objects: page.map(({ object }) => object),
      ...(coins.length > page.length && {
        nextPageToken: new Uint8Array(Buffer.from(`${last!.balance} ${last!.id}`)),
      }),
    };
  }
}

interface Place {
  readonly balance: bigint;
  readonly id: string;
}

function isBefore(one: Place, other: Place): boolean {
  return one.balance === other.balance ? one.id < other.id : one.balance > other.balance;
}

const started: Server[] = [];

export function stopNodesAfterEachTest(): void {
  afterEach(() => started.splice(0).forEach((server) => server.forceShutdown()));
}
