import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type ListPackageVersionsRequest,
  type ListPackageVersionsResponseSchema,
  PackageVersionSchema,
} from '@forecourt/ledger/node-messages';
import { bcs } from '@iota/iota-sdk/bcs';
import type { EngineInterface } from '../engine/engine-interface.js';
import { fromHexId } from '../engine/hash.js';
import type { LedgerView } from '../views/lagging-view.js';
import { GrpcCode } from './grpc-codes.js';
import { failure, invalidField } from './grpc-status.js';
import { inMessages, requireMessageSize } from './message-size.js';
import { readRequiredId } from './read-items.js';

const USUAL_PAGE = 1_000;
const LARGEST_PAGE = 10_000;

/** A page's token: the first version of the package, and the last version of the page. */
const Token = bcs.struct('PageToken', { original: bcs.Address, version: bcs.u64() });

/** A page of a package's versions, which any of them may name. Throws `GrpcFailure`. */
export function listPackageVersions(
  engine: Pick<EngineInterface, 'listPackageVersions'>,
  view: Pick<LedgerView, 'getObject'>,
  { packageId, pageSize, pageToken, maxMessageSizeBytes }: ListPackageVersionsRequest,
): MessageInitShape<typeof ListPackageVersionsResponseSchema> {
  const id = readRequiredId('package_id', packageId);
  const messageSize = requireMessageSize(maxMessageSizeBytes);
  const named = view.getObject(id);
  if (named.kind === 'found' && named.object.type !== 'package') {
    throw failure(GrpcCode.invalidArgument, `Object ${id} is not a package`);
  }
  const all = named.kind === 'found' ? engine.listPackageVersions(id) : [];
  const [first] = all;
  if (!first) throw failure(GrpcCode.notFound, `Object ${id} not found`);
  const original = first.objectId;
  const after = readToken(pageToken, original);
  const rest = all.filter(
    ({ objectId, version }) => version > after && view.getObject(objectId).kind === 'found',
  );
  const page = rest.slice(0, Math.min(pageSize || USUAL_PAGE, LARGEST_PAGE)).map((one) => ({
    originalId: { objectId: fromHexId(original) },
    storageId: { objectId: fromHexId(one.objectId) },
    version: BigInt(one.version),
  }));
  const [[versions] = [[]]] = inMessages(PackageVersionSchema, page, messageSize);
  const last = rest[versions.length - 1];
  if (!last || versions.length === rest.length) return { versions };
  const nextPageToken = Token.serialize({ original, version: last.version }).toBytes();
  return { versions, nextPageToken };
}

/** The version after which the page begins. */
function readToken(bytes: Uint8Array | undefined, original: string): number {
  if (bytes === undefined) return 0;
  const token = decodeToken(bytes);
  if (token === null) throw invalidField('page_token', 'invalid page_token');
  if (token.original === original) return Number(token.version);
  throw invalidField('page_token', 'page_token does not match request parameters');
}

function decodeToken(bytes: Uint8Array): typeof Token.$inferType | null {
  try {
    const token = Token.parse(new Uint8Array(bytes));
    return Buffer.compare(Token.serialize(token).toBytes(), bytes) === 0 ? token : null;
  } catch {
    return null;
  }
}
