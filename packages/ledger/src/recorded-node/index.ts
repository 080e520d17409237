/**
 * Answers of a real node, version 1.21.0-alpha of March 2026 (protocol 23), for tests. The same transactions
 * were read over gRPC and over JSON-RPC.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';

/** A call over gRPC with its answer; messages are in base64. */
export interface RecordedGrpcCall {
  /** Unique; a group and a case, such as `execute-error/stale-gas-coin`. */
  readonly name: string;
  readonly service: string;
  readonly method: string;
  readonly request: string;
  /** Several for a stream. */
  readonly responses: readonly string[];
  /** Each message's time since the call's beginning, in ms; absent for most unary calls. */
  readonly response_ms?: readonly number[];
  /** The status of the whole call; 0 is OK. */
  readonly code: number;
  readonly status: string;
  readonly message: string;
  readonly details?: readonly object[];
  /** True where `responses` holds only the first messages. */
  readonly shortened?: boolean;
  readonly note?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ms: number;
}

/** A call over JSON-RPC with the whole answer. */
export interface RecordedRpcCall {
  /** That of the gRPC call about the same thing, where there is one. */
  readonly name: string;
  readonly method: string;
  readonly params: readonly unknown[];
  readonly answer: { readonly result?: unknown; readonly error?: unknown };
  readonly ms: number;
}

/** In the order in which they were recorded. */
export function readGrpcRecording(): readonly RecordedGrpcCall[] {
  return readRecording('grpc-1.21') as RecordedGrpcCall[];
}

/** In the order in which they were recorded. */
export function readRpcRecording(): readonly RecordedRpcCall[] {
  return readRecording('json-rpc-1.21') as RecordedRpcCall[];
}

/**
 * A recorded message; of one that is recorded in part, the complete fields. Throws for bytes of another
 * message.
 */
export function decodeRecorded<S extends DescMessage>(schema: S, base64: string): MessageShape<S> {
  const [beginning = '', rest] = base64.split(CUT);
  const bytes = Buffer.from(beginning, 'base64');
  return fromBinary(schema, rest === undefined ? bytes : bytes.subarray(0, lengthOfWhole(bytes)));
}

/** Between the beginning of a message and its length. */
const CUT = '…';

function lengthOfWhole(bytes: Uint8Array): number {
  const reader = new BinaryReader(bytes);
  let length = 0;
  try {
    while (reader.pos < reader.len) {
      reader.skip(reader.tag()[1]);
      if (reader.pos > reader.len) break;
      length = reader.pos;
    }
  } catch {
    // The next field is cut.
  }
  return length;
}

function readRecording(name: string): unknown[] {
  const file = new URL(`../../recorded-node/${name}.jsonl.gz`, import.meta.url);
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}
