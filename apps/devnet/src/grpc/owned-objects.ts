import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type ListOwnedObjectsRequest,
  type ListOwnedObjectsResponseSchema,
  ObjectSchema,
} from '@forecourt/ledger/node-messages';
import { bcs } from '@iota/iota-sdk/bcs';
import { normalizeStructTag, parseStructTag } from '@iota/iota-sdk/utils';
import type { ObjectRecord } from '../engine/engine-interface.js';
import { toHexId } from '../engine/hash.js';
import type { NodeProfile } from '../node/node-profile.js';
import type { LedgerView } from '../views/lagging-view.js';
import { encodeObject } from './encode-object.js';
import { invalidField, missingField } from './grpc-status.js';
import { inMessages, requireMessageSize } from './message-size.js';
import { wrongBytes } from './read-items.js';
import { ReadMask } from './read-mask.js';
import { wrongStructType } from './struct-type.js';

const USUAL_PAGE = 50;
const LARGEST_PAGE = 1_000;
const ID_BYTES = 32;

/** The place of an object in the order of its owner's objects: by type, falling balance and id. */
const Place = bcs.struct('Place', {
  type: bcs.string(),
  balance: bcs.option(bcs.u64()),
  id: bcs.Address,
});
/** A page's token: what was asked for, and the last place of the page. */
const Token = bcs.struct('PageToken', {
  owner: bcs.Address,
  type: bcs.option(bcs.string()),
  place: Place,
});
type Place = typeof Place.$inferType;

/**
 * A page of an address' objects. A cursor is a place in the order, and not an object: a coin whose balance
 * changes between two pages can be missed, or seen twice, as at nodes. Throws `GrpcFailure`.
 */
export function listOwnedObjects(
  view: LedgerView,
  request: ListOwnedObjectsRequest,
  profile: Pick<NodeProfile, 'version'>,
): MessageInitShape<typeof ListOwnedObjectsResponseSchema> {
  const owner = readOwner(request);
  const mask = ReadMask.read(request.readMask, ['reference', 'bcs'], ObjectSchema, profile);
  const type = readType(request.objectType);
  const limit = Math.min(request.pageSize || USUAL_PAGE, LARGEST_PAGE);
  const messageSize = requireMessageSize(request.maxMessageSizeBytes);
  const after = readToken(request.pageToken, owner, type);
  const matchesType = cachedByType((each) => type === null || isInstance(each, type));
  const rest = view
    .listOwnedObjects(owner, {
      limit: Number.MAX_SAFE_INTEGER,
      filter: (object) => matchesType(object.type),
    })
    .data.map((object) => ({ object, place: placeOf(object) }))
    .filter(({ place }) => after === null || compare(place, after) > 0)
    .sort((a, b) => compare(a.place, b.place));
  const data = rest
    .slice(0, limit)
    .map(({ object }) => mask.applyTo(ObjectSchema, encodeObject(object)));
  const [first] = inMessages(ObjectSchema, data, messageSize);
  const [objects] = first!;
  const last = rest[objects.length - 1];
  if (!last || objects.length === rest.length) return { objects };
  return { objects, nextPageToken: encodeToken({ owner, type, place: last.place }) };
}

function readOwner({ owner }: ListOwnedObjectsRequest): string {
  if (!owner) throw missingField('owner', 'owner is required');
  if (owner.address.length === ID_BYTES) return toHexId(owner.address);
  throw invalidField('owner', `invalid owner: ${wrongBytes('address')}`);
}

/** The type in its long form; null: objects of all types. */
function readType(text: string | undefined): string | null {
  if (text === undefined) return null;
  try {
    return normalizeStructTag(parseStructTag(text));
  } catch {
    throw invalidField('object_type', `invalid object_type: ${wrongStructType(text)}`);
  }
}

/** The place after which the page begins; null: at the beginning. */
function readToken(
  bytes: Uint8Array | undefined,
  owner: string,
  type: string | null,
): Place | null {
  if (bytes === undefined) return null;
  const token = decodeToken(bytes);
  if (token === null) throw invalidField('page_token', 'invalid page_token');
  if (token.owner === owner && token.type === type) return token.place;
  throw invalidField('page_token', 'page_token does not match request parameters');
}

function encodeToken(token: typeof Token.$inferInput): Uint8Array {
  return Token.serialize(token).toBytes();
}

function decodeToken(bytes: Uint8Array): typeof Token.$inferType | null {
  try {
    const token = Token.parse(new Uint8Array(bytes));
    return Buffer.compare(encodeToken(token), bytes) === 0 ? token : null;
  } catch {
    return null;
  }
}

/** A type without parameters stands for all its instances. */
function isInstance(type: string, filterType: string): boolean {
  const full = normalizeStructTag(type);
  return full === filterType || full.startsWith(`${filterType}<`);
}

/** An owner has many objects of few types. */
function cachedByType(decide: (type: string) => boolean): (type: string) => boolean {
  const known = new Map<string, boolean>();
  return (type) => {
    const decided = known.get(type) ?? decide(type);
    known.set(type, decided);
    return decided;
  };
}

function placeOf({ type, coin, objectId }: ObjectRecord): Place {
  return { type, balance: coin && String(coin.balance), id: objectId };
}

function compare(a: Place, b: Place): number {
  if (a.type !== b.type) return a.type < b.type ? -1 : 1;
  if (a.balance !== b.balance) return BigInt(a.balance ?? 0) > BigInt(b.balance ?? 0) ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
