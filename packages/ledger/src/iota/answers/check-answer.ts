import { normalizeIotaAddress, normalizeStructTag } from '@iota/iota-sdk/utils';
import { type ExpectedPayment, paymentOf } from '../../decoded-transaction.js';
import { InvalidTransactionBytes } from '../../ledger.js';
import { NodeAnswer } from './node-answer.js';
import { decodeTransaction } from '../transactions/decoding/decode-transaction.js';
import { transactionDigest } from '../transaction-digest.js';
import type { RpcCall } from '../transport/node-transport.js';
import { netGas, type TransactionEffects } from '../../transaction-effects.js';

type Check = (answer: NodeAnswer, call: RpcCall) => void;

const CHAIN = /^[0-9a-f]{8}$/;
const GAS_TYPE = normalizeStructTag('0x2::iota::IOTA');

/**
 * By method: does the answer belong to the call? A proxy in front of a node may mix answers up, and a node may lie.
 * Methods without a check have answers that hold nothing of the call.
 */
const CHECKS: Readonly<Record<string, Check>> = {
  iota_getChainIdentifier(answer) {
    if (!CHAIN.test(answer.text())) throw answer.malformed('a chain identifier of 8 hex digits');
  },
  iota_getLatestCheckpointSequenceNumber: (answer) => void answer.natural(),
  iota_getCheckpoint(answer, { params: [number] }) {
    answer.field('sequenceNumber').expect(String(number));
  },
  iota_getTransactionBlock(answer, { params: [digest], payment }) {
    checkTransaction(answer, String(digest), payment);
  },
  iota_multiGetTransactionBlocks(answer, { params: [digests] }) {
    const left = new Set(digests as readonly string[]);
    for (const shown of answer.items()) {
      if (shown.isAbsent) continue;
      const digest = shown.field('digest');
      if (!left.delete(digest.text())) throw digest.another('one of those asked for');
      checkTransaction(shown, digest.text());
    }
  },
  iota_executeTransactionBlock(answer, { params: [bytes] }) {
    checkExecution(answer, String(bytes));
  },
  iota_dryRunTransactionBlock(answer, { params: [bytes] }) {
    checkExecution(answer, String(bytes));
  },
  iota_multiGetObjects(answer, { params: [ids] }) {
    const asked = ids as readonly string[];
    for (const [index, shown] of answer.items(asked.length).entries()) {
      checkObjectId(shown.field('data').partOf('objectId'), asked[index]!);
      checkObjectId(shown.field('error').partOf('object_id'), asked[index]!);
    }
  },
  iotax_getCoins(answer) {
    for (const coin of answer.field('data').items()) {
      const type = coin.field('coinType');
      if (normalizeStructTag(type.text()) !== GAS_TYPE) throw type.malformed('the gas coin’s type');
    }
  },
};

/** Throws `NodeFailure` if the result is malformed, or answers another call. */
export function checkAnswer(call: RpcCall, result: unknown): void {
  CHECKS[call.method]?.(new NodeAnswer(call.method, result), call);
}

/** Absent, or this one: nodes leave out leading zeros in some places. */
function checkObjectId(named: NodeAnswer | null, id: string): void {
  if (named === null || named.isAbsent) return;
  if (normalizeIotaAddress(named.text()) !== normalizeIotaAddress(id)) throw named.another(id);
}

/** A transaction that was asked for by its digest. */
function checkTransaction(answer: NodeAnswer, digest: string, payment?: ExpectedPayment): void {
  answer.field('digest').expect(digest);
  const effects = answer.field('effects');
  if (!effects.isAbsent) checkEffects(effects, digest, payment);
}

/** A transaction whose bytes were sent, in base64. */
function checkExecution(answer: NodeAnswer, base64: string): void {
  const bytes = Buffer.from(base64, 'base64');
  checkEffects(answer.field('effects'), transactionDigest(bytes), readPayment(bytes));
}

/** The payment that the bytes of a transaction state; undefined where they are none of a user. */
export function readPayment(bytes: Uint8Array): ExpectedPayment | undefined {
  try {
    return paymentOf(decodeTransaction(bytes));
  } catch (error) {
    if (error instanceof InvalidTransactionBytes) return undefined;
    throw error;
  }
}

const STATUSES: ReadonlySet<string> = new Set(['success', 'failure']);
const COSTS = ['computationCost', 'storageCost', 'storageRebate', 'nonRefundableStorageFee'];
/** Larger charges and refunds would take more storage than nodes have; the pool counts smaller ones only. */
const LARGEST_GAS = 10n ** 18n - 1n;
const WRITTEN = ['created', 'mutated', 'unwrapped'];
const GONE = ['deleted', 'wrapped', 'unwrappedThenDeleted'];

/**
 * Checks the fields of effects that Forecourt reads. Throws `NodeFailure` where one is malformed or out of range, and where
 * the effects are those of another transaction.
 */
export function checkEffects(effects: NodeAnswer, digest: string, payment?: ExpectedPayment): void {
  effects.field('transactionDigest').expect(digest);
  const status = effects.field('status').field('status');
  if (!STATUSES.has(status.text())) throw status.malformed('success or failure');
  effects.field('executedEpoch').amount();
  for (const cost of COSTS) effects.field('gasUsed').field(cost).amount();
  const gas = netGas(effects.raw as TransactionEffects);
  if (gas > LARGEST_GAS || gas < -LARGEST_GAS) throw effects.field('gasUsed').malformed('in range');
  checkReference(effects.field('gasObject').field('reference'));
  for (const name of WRITTEN) {
    for (const written of listIn(effects, name)) checkReference(written.field('reference'));
  }
  for (const name of GONE) listIn(effects, name).forEach(checkReference);
  if (payment) checkPayment(effects, gas, payment);
}

function checkReference(reference: NodeAnswer): void {
  reference.field('objectId').objectId();
  reference.field('version').natural();
  reference.field('digest').digest();
}

/** Nodes leave out empty lists. */
function listIn(effects: NodeAnswer, name: string): readonly NodeAnswer[] {
  const list = effects.field(name);
  return list.isAbsent ? [] : list.items();
}

function checkPayment(
  effects: NodeAnswer,
  gas: bigint,
  { gasPayment, gasOwner, gasBudget, maySendGasCoin }: ExpectedPayment,
): void {
  const [first] = gasPayment;
  if (first === undefined) return;
  const owner = effects.field('gasObject').field('owner');
  const reference = effects.field('gasObject').field('reference');
  reference.field('objectId').expect(first.objectId);
  const oldest = Math.max(...gasPayment.map(({ version }) => version));
  const version = reference.field('version');
  if (version.natural() <= oldest) throw version.malformed(`above ${oldest}`);
  if (gasBudget !== undefined && gas > gasBudget) {
    throw effects.field('gasUsed').malformed(`within the budget of ${gasBudget}`);
  }
  if (maySendGasCoin) return;
  const address = owner.field('AddressOwner').text();
  if (normalizeIotaAddress(address) !== gasOwner) throw owner.malformed(`the sponsor ${gasOwner}`);
}
