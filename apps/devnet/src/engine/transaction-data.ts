import { bcs, BcsType } from '@iota/iota-sdk/bcs';
import type { TransactionData } from './engine-interface.js';
import { EngineError } from './engine-error.js';
import { digestOf } from './hash.js';

export type Program = NonNullable<TransactionData['kind']['ProgrammableTransaction']>;

export type Command = Program['commands'][number];

export type CallArgument = Program['inputs'][number];

export type Argument = NonNullable<Command['SplitCoins']>['coin'];

export interface DecodedTransaction {
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly data: TransactionData;
  readonly program: Program;
}

/** Decodes transaction bytes. Throws -32602 when they are invalid, incomplete or followed by other bytes. */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  const data = parse(bytes);
  const program = data.kind.ProgrammableTransaction;
  if (!program) throw invalid('only programmable transactions can be submitted');
  return { digest: digestOf('TransactionData', bytes), bytes, data, program };
}

/** Rejects non-canonical lengths, as the ledger does and the schema's reader does not. */
const StrictTransaction = new BcsType<TransactionData | null, never>({
  name: 'StrictTransaction',
  read: (reader) => {
    reader.readULEB = () => readCanonicalLength(() => reader.read8());
    const data = bcs.TransactionData.read(reader).V1;
    if (!isAtEnd(() => reader.read8())) throw new TypeError('remaining input');
    return data;
  },
  write: () => {
    throw new TypeError('this schema only reads');
  },
});

function readCanonicalLength(readByte: () => number): number {
  let length = 0;
  for (let shift = 0; shift < 32; shift += 7) {
    const byte = readByte();
    length += (byte & 127) * 2 ** shift;
    if (byte >= 128) continue;
    if (byte === 0 && shift > 0) break;
    return length;
  }
  throw new TypeError('non-canonical length');
}

function isAtEnd(readByte: () => number): boolean {
  try {
    readByte();
    return false;
  } catch {
    return true;
  }
}

function parse(bytes: Uint8Array): TransactionData {
  try {
    // A copy has its own buffer, so that no byte beyond its end can be read.
    const data = StrictTransaction.parse(new Uint8Array(bytes));
    if (data) return data;
  } catch (error) {
    throw invalid((error as Error).message);
  }
  throw invalid('unknown version');
}

/** Versions of transactions in the node's text about an unknown one. */
const UNKNOWN_VERSION = /^Unknown value (\d+) for enum TransactionData$/;

function invalid(reason: string): EngineError {
  return new EngineError(
    -32602,
    `Deserialization error: ${reason.replace(UNKNOWN_VERSION, 'invalid value: integer `$1`, expected variant index 0 <= i < 1')}`,
  );
}
