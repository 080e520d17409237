import { StrictReader } from '../transactions/decoding/strict-reader.js';

const NO_ADDRESS = `0x${'0'.repeat(64)}`;
const NO_DIGEST = '1'.repeat(32);

/** The ledger's `TransactionKind`, in the order of its variants. */
const KINDS = [
  'ProgrammableTransaction',
  'Genesis',
  'ConsensusCommitPrologueV1',
  'AuthenticatorStateUpdateV1',
  'EndOfEpochTransaction',
  'RandomnessStateUpdate',
];

/**
 * A transaction of the ledger itself in the JSON of nodes (`transaction.data`). It has neither a sender nor gas; the
 * ledger writes zeros. Contents in a form that this version does not know are left out, since nothing depends on them.
 */
export function showSystemTransaction(bytes: Uint8Array) {
  const kind = KINDS[bytes[1]!] ?? 'Other';
  const payment = [{ objectId: NO_ADDRESS, version: 0, digest: NO_DIGEST }];
  return {
    messageVersion: 'v1',
    transaction: { kind, ...readContents(kind, bytes) },
    sender: NO_ADDRESS,
    gasData: { payment, owner: NO_ADDRESS, price: '1', budget: '0' },
  };
}

function readContents(kind: string, bytes: Uint8Array): object {
  const reader = new StrictReader(bytes.subarray(2));
  try {
    if (kind === 'ConsensusCommitPrologueV1') return readPrologue(reader);
    if (kind === 'EndOfEpochTransaction') return { transactions: list(reader, readEpochEnd) };
    if (kind === 'RandomnessStateUpdate') return readRandomness(reader);
  } catch {
    // The kind alone.
  }
  return {};
}

const u64 = (reader: StrictReader) => String(reader.readU64());

function list<T>(reader: StrictReader, read: (reader: StrictReader) => T): T[] {
  return Array.from({ length: reader.readLength() }, () => read(reader));
}

function readPrologue(reader: StrictReader): object {
  return {
    epoch: u64(reader),
    round: u64(reader),
    sub_dag_index: reader.readBoolean() ? u64(reader) : null,
    commit_timestamp_ms: u64(reader),
    consensus_commit_digest: reader.readDigest(),
    consensus_determined_version_assignments: readAssignments(reader),
  };
}

function readAssignments(reader: StrictReader): object {
  reader.readVariant(1, 'ConsensusDeterminedVersionAssignments');
  const CancelledTransactions = list(reader, () => [
    reader.readDigest(),
    list(reader, () => [reader.readAddress(), Number(reader.readU64())]),
  ]);
  return { CancelledTransactions };
}

function readRandomness(reader: StrictReader): object {
  return {
    epoch: u64(reader),
    randomness_round: u64(reader),
    random_bytes: [...reader.readBytes(reader.readLength())],
  };
}

/** Nodes show the second to the fourth version under one name. */
function readEpochEnd(reader: StrictReader): object {
  const version = 1 + reader.readVariant(4, 'EndOfEpochTransactionKind');
  const epoch = u64(reader);
  // The version of the protocol.
  reader.readU64();
  const change = {
    epoch,
    storage_charge: u64(reader),
    computation_charge: u64(reader),
    ...(version > 1 && { computation_charge_burned: u64(reader) }),
    storage_rebate: u64(reader),
  };
  // The fee that is not refundable.
  reader.readU64();
  const epoch_start_timestamp_ms = u64(reader);
  list(reader, skipSystemPackage);
  const shown = {
    ...change,
    epoch_start_timestamp_ms,
    ...(version > 2 && { eligible_active_validators: list(reader, u64) }),
    ...(version > 3 && { scores: list(reader, u64) }),
  };
  // Whether rewards follow the scores.
  if (version > 3) reader.readBoolean();
  return version === 1 ? { ChangeEpoch: shown } : { ChangeEpochV2: shown };
}

function skipSystemPackage(reader: StrictReader): void {
  reader.readU64();
  list(reader, () => reader.skipBytes());
  list(reader, () => reader.readAddress());
}
