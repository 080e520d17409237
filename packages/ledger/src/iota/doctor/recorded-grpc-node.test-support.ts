import { buffer } from 'node:stream/consumers';
import type { ServerHttp2Stream } from 'node:http2';
import {
  clearField,
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf';
import {
  type GetObjectsRequest,
  GetObjectsRequestSchema,
  GetObjectsResponseSchema,
  GetServiceInfoResponseSchema,
  type GetTransactionsRequest,
  GetTransactionsRequestSchema,
  LedgerService,
  ListOwnedObjectsResponseSchema,
  type Object$ as NodeObject,
  type ObjectRequest,
  type ObjectResultSchema,
  type SimulateTransactionsRequest,
  SimulateTransactionsRequestSchema,
  StateService,
  TransactionExecutionService,
} from '../../node-messages/index.js';
import { readGrpcRecording } from '../../recorded-node/index.js';
import { frameOf } from '../grpc/grpc-call.js';
import { answer, ends, RawNode } from '../grpc/raw-node.test-support.js';
import { status } from '../grpc/grpc-errors.js';
import { fromBase58 } from '@iota/iota-sdk/utils';
import { transactionDigest } from '../transactions/decoding/transaction-digest.js';

/** How a node differs from one that serves everything. */
export interface Differences {
  /** Fields that its version lacks, at any depth of a read mask. */
  readonly lacks?: readonly string[];
  /**
   * Methods that it answers with this recorded call instead of the usual one; null: it does not serve them.
   */
  readonly answers?: Readonly<Record<string, string | null>>;
  /** Whether it has pruned every former version of objects. */
  readonly prunesVersions?: boolean;
  /** Time for which it holds answers of more than one object back. */
  readonly heldBackMs?: number;
}

const recorded = new Map(readGrpcRecording().map((call) => [call.name, call]));

/** Of a node of version 1.21. */
const USUAL: Readonly<Record<string, string>> = {
  GetServiceInfo: 'info/*',
  GetHealth: 'health/default',
  GetEpoch: 'epoch/product-mask',
  GetTransactions: 'transaction/emit-events',
  GetCheckpoint: 'checkpoint/by-number-all',
  StreamCheckpoints: 'checkpoint/by-number-all',
  ListOwnedObjects: 'owned/coins-page-2',
  SimulateTransactions: 'simulate/move-abort-everything',
  ExecuteTransactions: 'execute-error/gas-price-below-reference',
};

const METHODS = [LedgerService, StateService, TransactionExecutionService].flatMap(
  ({ methods }) => methods,
);

/**
 * A node that gives recorded answers until the end of the test, whatever the fields that the caller asks for.
 */
export async function startRecordedNode(differences: Differences = {}): Promise<string> {
  const { lacks = [], answers = {}, heldBackMs = 0 } = differences;
  const node = await RawNode.start((stream, { ':path': path }) => {
    const method = METHODS.find(({ name }) => String(path).endsWith(`/${name}`))!;
    void buffer(stream).then(async (body) => {
      const name = method.name in answers ? answers[method.name]! : USUAL[method.name];
      if (name === null) return refuse(stream, status.UNIMPLEMENTED, '');
      const request = fromBinary<DescMessage>(method.input, body.subarray(5));
      const unknown = pathsOf(request).find((one) =>
        one.split('.').some((part) => lacks.includes(part)),
      );
      if (unknown !== undefined) {
        return refuse(stream, status.INVALID_ARGUMENT, `invalid read_mask path: ${unknown}`);
      }
      if (method.name === 'GetObjects' && name === undefined) {
        const question = fromBinary(GetObjectsRequestSchema, body.subarray(5));
        const count = question.requests?.requests.length ?? 0;
        if (count > 1) await new Promise((resolve) => setTimeout(resolve, heldBackMs));
        return answer(stream, [frameOf(readObjects(question, differences))]);
      }
      const adapted = ADAPTED[name!];
      if (adapted) answer(stream, [frameOf(adapted)]);
      else reply(stream, name!, digestIn(request));
    });
  });
  ends.push(() => node.stop());
  return node.url;
}

const bytesOf = (name: string) =>
  recorded.get(name)!.responses.map((one) => new Uint8Array(Buffer.from(one, 'base64')));

/** The checkpoint that was recorded as a whole is the newest. */
const NEWEST = 4_312n;
const lastPage = fromBinary(ListOwnedObjectsResponseSchema, bytesOf('owned/coins-page-2')[0]!);
clearField(lastPage, ListOwnedObjectsResponseSchema.field.nextPageToken);
function infoOf(name: string): Uint8Array {
  const info = fromBinary(GetServiceInfoResponseSchema, bytesOf(name)[0]!);
  return toBinary(GetServiceInfoResponseSchema, { ...info, executedCheckpointHeight: NEWEST });
}

/** Answers that fit to the others. */
const ADAPTED: Readonly<Record<string, Uint8Array>> = {
  'info/*': infoOf('info/*'),
  'pruned-net/info': infoOf('pruned-net/info'),
  'owned/coins-page-2': toBinary(ListOwnedObjectsResponseSchema, lastPage),
};

const CLOCK = fromBinary(GetObjectsResponseSchema, bytesOf('objects/system-clock')[0]!).objects[0]!
  .result.value as NodeObject;

/** Shows the recorded clock as the system state too, and at any former version of any object. */
function readObjects({ requests }: GetObjectsRequest, differences: Differences): Uint8Array {
  const objects = requests!.requests.map((request) => readObject(request, differences));
  return toBinary(GetObjectsResponseSchema, create(GetObjectsResponseSchema, { objects }));
}

function readObject(
  { objectRef }: ObjectRequest,
  { prunesVersions = false }: Differences,
): MessageInitShape<typeof ObjectResultSchema> {
  const { objectId, version } = objectRef!;
  const [system, clock] = [0x5, 0x6];
  const isKnown = [system, clock].includes(
    Number(`0x${Buffer.from(objectId!.objectId).toString('hex')}`),
  );
  if (version === undefined ? !isKnown : prunesVersions) {
    return { result: { case: 'error', value: { code: status.NOT_FOUND, message: 'not found' } } };
  }
  const reference = { ...CLOCK.reference!, objectId: objectId! };
  if (version !== undefined) reference.version = version;
  return { result: { case: 'object', value: { ...CLOCK, reference } } };
}

function pathsOf(request: object): readonly string[] {
  const { readMask } = request as { readonly readMask?: { readonly paths: readonly string[] } };
  return readMask?.paths ?? [];
}

function reply(stream: ServerHttp2Stream, name: string, question: Uint8Array | null): void {
  const { code, message } = recorded.get(name)!;
  if (code !== status.OK) return refuse(stream, code, message);
  answer(
    stream,
    bytesOf(name).map((bytes) => frameOf(question ? aboutTransaction(bytes, question) : bytes)),
  );
}

/** The digest, where a request reads or simulates a single transaction. */
function digestIn(request: object): Uint8Array | null {
  const { requests, transactions } = request as Partial<GetTransactionsRequest> &
    Partial<SimulateTransactionsRequest>;
  const [simulated] = transactions ?? [];
  const bytes = simulated?.transaction?.bcs?.data;
  if (bytes) return fromBase58(transactionDigest(bytes));
  return requests?.requests?.[0]?.digest?.digest ?? null;
}

/** The recorded transactions and effects are about other ones. */
const RECORDED_DIGESTS = ['simulate/move-abort-everything', 'transaction/emit-events'].map(
  (name) => {
    const request = recorded.get(name)!;
    const bytes = Buffer.from(request.request, 'base64');
    const schema =
      request.method === 'GetTransactions'
        ? GetTransactionsRequestSchema
        : SimulateTransactionsRequestSchema;
    return Buffer.from(digestIn(fromBinary<DescMessage>(schema, bytes))!);
  },
);

function aboutTransaction(bytes: Uint8Array, digest: Uint8Array): Uint8Array {
  const replaced = Buffer.from(bytes);
  for (const former of RECORDED_DIGESTS) {
    for (
      let index = replaced.indexOf(former);
      index >= 0;
      index = replaced.indexOf(former, index + 1)
    ) {
      replaced.set(digest, index);
    }
  }
  return replaced;
}

function refuse(stream: ServerHttp2Stream, code: number, message: string): void {
  answer(stream, [], { 'grpc-status': String(code), 'grpc-message': encodeURIComponent(message) });
}
