import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type ListOwnedObjectsRequest,
  ListOwnedObjectsResponseSchema,
  ObjectSchema,
} from '@forecourt/node-messages';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import type { ObjectRecord, Page } from '../engine/engine-interface.js';
import { fromHexId, toHexId } from '../engine/hash.js';
import { readCoinType } from '../methods/coin-methods.js';
import { readObjectFilter } from '../methods/objects/matches-object-filter.js';
import { chooseView, type LedgerView } from '../views/lagging-view.js';
import { encodeObject } from './encode-object.js';
import type { GrpcCalls } from './grpc-calls.js';
import { EQUIVALENTS, type ServedNode } from './served-node.js';
import { invalidField } from './grpc-status.js';
import { inMessages, messageLimit } from './message-size.js';
import { ReadMask } from './read-mask.js';

const USUAL_PAGE = 50;
const LARGEST_PAGE = 1_000;
const ID_BYTES = 32;

/** The methods of `StateService`. */
export function stateService(calls: GrpcCalls, node: ServedNode): UntypedServiceImplementation {
  const { fullNode, faultyCalls } = node;
  return {
    ListOwnedObjects: calls.unary(
      nameOf,
      ListOwnedObjectsResponseSchema,
      (request: ListOwnedObjectsRequest) => {
        const name = nameOf(request);
        return faultyCalls.run(name, [], async () =>
          listObjects(chooseView(fullNode, faultyCalls.faults, name), request),
        );
      },
    ),
  };
}

const nameOf = (request: ListOwnedObjectsRequest) =>
  coinTypeOf(request) === null ? EQUIVALENTS.ListOwnedObjects : EQUIVALENTS.ListCoins;

/** The coins of one type are in a separate index. */
function coinTypeOf({ objectType }: ListOwnedObjectsRequest): string | null {
  return /^0x0*2::coin::Coin<(.+)>$/.exec(objectType ?? '')?.[1] ?? null;
}

/** A page token is the id of the last object of the page before. */
function listObjects(
  view: LedgerView,
  request: ListOwnedObjectsRequest,
): MessageInitShape<typeof ListOwnedObjectsResponseSchema> {
  const mask = ReadMask.read(request.readMask, ['reference', 'bcs'], ObjectSchema);
  const { data, hasNextPage } = readPage(view, request);
  const shown = data.map((object) => mask.applyTo(ObjectSchema, encodeObject(object)));
  const limit = messageLimit(request.maxMessageSizeBytes);
  const [first] = inMessages(ObjectSchema, shown, limit);
  const [objects, isCut] = first!;
  const last = data[objects.length - 1];
  return {
    objects,
    ...(last && (hasNextPage || isCut) && { nextPageToken: fromHexId(last.objectId) }),
  };
}

function readPage(view: LedgerView, request: ListOwnedObjectsRequest): Page<ObjectRecord> {
  const { owner, pageToken, pageSize, objectType } = request;
  if (owner?.address.length !== ID_BYTES) {
    throw invalidField('owner', owner && 'address must have 32 bytes');
  }
  if (pageToken && pageToken.length !== ID_BYTES) {
    throw invalidField('page_token', 'invalid page token');
  }
  const address = toHexId(owner.address);
  const page = {
    cursor: pageToken ? toHexId(pageToken) : null,
    limit: Math.min(pageSize || USUAL_PAGE, LARGEST_PAGE),
  };
  const coinType = coinTypeOf(request);
  if (coinType !== null) return view.listCoins(address, readCoinType(coinType), page);
  const filter =
    objectType === undefined ? {} : { filter: readObjectFilter({ StructType: objectType }) };
  return view.listOwnedObjects(address, { ...page, ...filter });
}
