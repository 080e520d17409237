import { normalizeIotaAddress, normalizeStructTag } from '@iota/iota-sdk/utils';
import { type ExpectedPayment, paymentOf } from '../../decoded-transaction.js';
import { InvalidTransactionBytes } from '../../ledger-errors.js';
import type { BalanceChange } from '../../ledger.js';
import { netGas } from '../../gas-costs.js';
import type { TransactionEffects } from '../../executed-transaction.js';
import {
  decodeTransaction,
  transactionDigest,
} from '../transactions/decoding/decode-transaction.js';
import { type CallSender, NodeFailure, type RpcCall } from '../transport/node-transport.js';

const NATURAL = /^(0|[1-9]\d{0,19})$/;
const DIFFERENCE = /^(0|-?[1-9]\d{0,19})$/;
/** Of a struct tag; the SDK reads its type arguments. */
const STRUCT_TAG = /^0x[\da-f]{1,64}::[A-Za-z_]\w*::[A-Za-z_]\w*(<[\w:<>, ]+>)?$/;
const LARGEST_AMOUNT = 2n ** 64n - 1n;
const LONGEST_SHOWN = 80;
const OBJECT_ID = /^0x[0-9a-f]{1,64}$/;
/** 32 bytes in base58. */
const DIGEST = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * A node's answer or a part of it, not validated yet. Every reader throws `NodeFailure` with the
 * method and the field when a value has another type than required.
 */
export class NodeAnswer {
  constructor(
    private readonly method: string,
    private readonly value: unknown,
    private readonly path = 'result',
  ) {}

  /** The answer to a call. */
  static async to(call: RpcCall, node: CallSender): Promise<NodeAnswer> {
    return new NodeAnswer(call.method, await node.send(call));
  }

  /** The raw value, not validated. */
  get raw(): unknown {
    return this.value;
  }

  /** True for an absent value and for null. */
  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** A field of an object; may be absent. */
  field(name: string): NodeAnswer {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.malformed('an object');
    }
    const part = (value as Readonly<Record<string, unknown>>)[name];
    return new NodeAnswer(this.method, part, `${this.path}.${name}`);
  }

  /** A field of an object; null where there is no object. */
  partOf(name: string): NodeAnswer | null {
    return this.isAbsent ? null : this.field(name);
  }

  /** A list; `count`: its required length. */
  items(count?: number): readonly NodeAnswer[] {
    const { value } = this;
    if (!Array.isArray(value)) throw this.malformed('a list');
    if (count !== undefined && value.length !== count) throw this.malformed(`a list of ${count}`);
    return value.map((item, at) => new NodeAnswer(this.method, item, `${this.path}[${at}]`));
  }

  text(): string {
    if (typeof this.value !== 'string' || this.value === '') throw this.malformed('a text');
    return this.value;
  }

  /** Throws unless it is this text, or a number with these digits. */
  expect(expected: string): void {
    const { value } = this;
    const text = typeof value === 'number' ? String(value) : this.text();
    if (text !== expected) throw this.another(expected);
  }

  objectId(): string {
    const text = this.text();
    if (!OBJECT_ID.test(text)) throw this.malformed('an object id');
    return text;
  }

  digest(): string {
    const text = this.text();
    if (!DIGEST.test(text)) throw this.malformed('a digest');
    return text;
  }

  /** A non-negative integer of 64 bits, as JSON number or decimal text. */
  amount(): bigint {
    const { value } = this;
    const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    if (isNumber) return BigInt(value);
    if (typeof value === 'string' && NATURAL.test(value)) {
      const amount = BigInt(value);
      if (amount <= LARGEST_AMOUNT) return amount;
    }
    throw this.malformed('a whole number of 64 bits');
  }

  /** The difference of two amounts, as decimal text. */
  difference(): bigint {
    const { value } = this;
    if (typeof value === 'string' && DIFFERENCE.test(value)) {
      const difference = BigInt(value);
      if (difference <= LARGEST_AMOUNT && difference >= -LARGEST_AMOUNT) return difference;
    }
    throw this.malformed('a difference of amounts of 64 bits');
  }

  /** The type of a struct, with addresses in full form, without spaces. */
  structTag(): string {
    const text = this.text();
    try {
      if (STRUCT_TAG.test(text)) return normalizeStructTag(text);
    } catch {
      // Its type arguments are none.
    }
    throw this.malformed('the type of a struct');
  }

  /** An owner: the address or the object's id, in full form; null: the object is shared or immutable. */
  owner(): string | null {
    if (this.value === 'Immutable') return null;
    for (const kind of ['AddressOwner', 'ObjectOwner']) {
      const id = this.field(kind);
      if (!id.isAbsent) return normalizeIotaAddress(id.objectId());
    }
    const shared = this.field('Shared');
    if (shared.isAbsent) throw this.malformed('an owner');
    shared.field('initial_shared_version').natural();
    return null;
  }

  /** An amount that a JavaScript number represents exactly. */
  natural(): number {
    const value = Number(this.amount());
    if (!Number.isSafeInteger(value)) throw this.malformed('a safe whole number');
    return value;
  }

  /** The failure of an answer whose value is not as wanted. */
  malformed(wanted: string): NodeFailure {
    return malformed(`${this.method}: ${this.path} is not ${wanted}`);
  }

  /** The failure of an answer to another call, as a proxy gives that mixes answers up. */
  another(wanted: string): NodeFailure {
    const given = String(this.value).slice(0, LONGEST_SHOWN);
    const message = `${this.method}: answer to another call: ${this.path} is ${given}, not ${wanted}`;
    return new NodeFailure(message, { mayBeProcessed: true, isInvalid: true });
  }
}

function malformed(what: string): NodeFailure {
  return new NodeFailure(`malformed response to ${what}`, {
    mayBeProcessed: true,
    isInvalid: true,
  });
}

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

/** Balance changes as a node shows them, the gas included. Throws `NodeFailure` where one is malformed. */
export function readShownChanges(shown: NodeAnswer): BalanceChange[] {
  return shown.items().map((change) => ({
    owner: change.field('owner').owner(),
    coinType: change.field('coinType').structTag(),
    amount: change.field('amount').difference(),
  }));
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
  const error = effects.field('status').field('error');
  if (!error.isAbsent) error.text();
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
