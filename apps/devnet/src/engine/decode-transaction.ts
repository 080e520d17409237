import { bcs } from '@iota/iota-sdk/bcs';
import type { TransactionData } from './engine-interface.js';
import { EngineError } from './engine-error.js';
import { digestOf } from './hash.js';

type Kind = TransactionData['kind'];
export type Program = NonNullable<Kind['ProgrammableTransaction']>;
export type Command = Program['commands'][number];
export type CallArgument = Program['inputs'][number];
export type Argument = NonNullable<Command['SplitCoins']>['coin'];

export interface DecodedTransaction {
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly data: TransactionData;
  readonly program: Program;
}

/** Reads transaction bytes whole; -32602 when they are none, or end early or late. */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  const data = parse(bytes);
  const program = data.kind.ProgrammableTransaction;
  if (!program) throw invalid('only programmable transactions can be submitted');
  return { digest: digestOf('TransactionData', bytes), bytes, data, program };
}

/** Reads the bytes of a transaction's kind alone. */
export function decodeProgram(kindBytes: Uint8Array): Program {
  let kind: Kind;
  try {
    kind = bcs.TransactionKind.parse(kindBytes);
  } catch (error) {
    throw invalid((error as Error).message);
  }
  if (!kind.ProgrammableTransaction) throw invalid('only programmable transactions can run');
  return kind.ProgrammableTransaction;
}

function parse(bytes: Uint8Array): TransactionData {
  let data: TransactionData | undefined;
  try {
    data = bcs.TransactionData.parse(bytes).V1;
  } catch (error) {
    throw invalid((error as Error).message);
  }
  if (!data) throw invalid('unknown version');
  // The reader ignores what follows and forgives padded lengths; the ledger's does not.
  const canonical = bcs.TransactionData.serialize(
    { V1: data },
    { initialSize: bytes.length + 16, maxSize: Number.MAX_SAFE_INTEGER },
  ).toBytes();
  if (Buffer.compare(canonical, bytes) !== 0) throw invalid('remaining or non-canonical input');
  return data;
}

function invalid(reason: string): EngineError {
  return new EngineError(
    -32602,
    `Invalid params: Invalid value was given to the function: ${reason}`,
  );
}
