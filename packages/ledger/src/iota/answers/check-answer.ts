import { normalizeIotaAddress, normalizeStructTag } from '@iota/iota-sdk/utils';
import type { ExpectedPayment } from '../../expected-payment.js';
import { transactionDigest } from '../transactions/decoding/transaction-digest.js';
import type { RpcCall } from '../transport/node-transport.js';
import { checkEffects } from './check-effects.js';
import { NodeAnswer } from './node-answer.js';
import { readPayment } from '../transactions/decoding/read-payment.js';
import type { BalanceChange } from '../../ledger.js';

type Check = (answer: NodeAnswer, call: RpcCall) => void;

const CHAIN = /^[0-9a-f]{8}$/;
const GAS_TYPE = normalizeStructTag('0x2::iota::IOTA');

/**
 * By method: does the answer belong to the call? A proxy in front of a node may mix answers up, and a node
 * may lie. Methods without a check have answers that hold nothing of the call.
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
    checkBalanceChanges(answer);
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

/** Over gRPC, a node that leaves out objects shows none. */
function checkBalanceChanges(answer: NodeAnswer): void {
  const shown = answer.field('balanceChanges');
  if (!shown.isAbsent) readShownChanges(shown);
}

/** A transaction that was asked for by its digest. */
function checkTransaction(answer: NodeAnswer, digest: string, payment?: ExpectedPayment): void {
  answer.field('digest').expect(digest);
  checkBalanceChanges(answer);
  const effects = answer.field('effects');
  if (!effects.isAbsent) checkEffects(effects, digest, payment);
}

/** A transaction whose bytes were sent, in base64. */
function checkExecution(answer: NodeAnswer, base64: string): void {
  const bytes = Buffer.from(base64, 'base64');
  checkEffects(answer.field('effects'), transactionDigest(bytes), readPayment(bytes));
}

/** Balance changes as a node shows them, the gas included. Throws `NodeFailure` where one is malformed. */
export function readShownChanges(shown: NodeAnswer): BalanceChange[] {
  return shown.items().map((change) => ({
    owner: change.field('owner').owner(),
    coinType: change.field('coinType').structTag(),
    amount: change.field('amount').difference(),
  }));
}
