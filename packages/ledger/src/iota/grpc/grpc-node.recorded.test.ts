import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  ExecuteTransactionsRequestSchema,
  SimulateTransactionsResponseSchema,
} from '../../node-messages/index.js';
import { readGrpcRecording, readRpcRecording } from '../../recorded-node/index.js';
import type { DecodedTransaction } from '../../decoded-transaction.js';
import type { DryRun } from '../../ledger.js';
import { NodeAnswer } from '../answers/node-answer.js';
import { readExecution, readTransaction } from '../answers/read-transaction.js';
import type { ShownPart } from '../client/node-client.js';
import { clientThrough } from '../client/routed-client.js';
import { assembleTransaction } from '../transactions/decoding/assemble-transaction.js';
import { decodeTransaction, readKindBytes } from '../transactions/decoding/decode-transaction.js';
import { findTransaction } from '../transactions/find-transaction.js';
import { dryRunTransaction } from '../transactions/dry-run-transaction.js';
import { LedgerNodes } from '../nodes/ledger-nodes.js';
import { clientOf, StandInNode } from '../nodes/stand-in-node.test-support.js';
import { frameOf } from './grpc-call.js';
import { showTransaction } from './grpc-transactions.js';
import { GrpcNode } from './grpc-node.js';
import { answer, RawNode } from './raw-node.test-support.js';
import {
  recordedEffects,
  recordedSimulation,
  serveRecording,
} from './recorded-node.test-support.js';

const SHOWN: readonly ShownPart[] = [
  'input',
  'effects',
  'events',
  'objectChanges',
  'balanceChanges',
];
interface Shown {
  readonly digest: string;
  readonly checkpoint?: string | null;
  readonly effects: object;
  readonly transaction: { readonly data: { readonly transaction: Program } };
}
interface Program {
  readonly inputs?: readonly { readonly type: string }[];
  readonly transactions?: readonly {
    readonly MoveCall?: { readonly arguments?: readonly { readonly Input?: number }[] };
  }[];
}

/** Transactions as the node shows them over JSON-RPC, by the names of their calls. */
const read = readRpcRecording().flatMap(({ name, method, answer }) =>
  method === 'iota_getTransactionBlock' && answer.result
    ? [[name, answer.result as Shown] as const]
    : [],
);
/** Bytes, the call's name, and the node's answer to their dry run over JSON-RPC. */
const simulated = readRpcRecording()
  .filter(({ method }) => method === 'iota_dryRunTransactionBlock')
  .map(({ name, params, answer }) => [name, params[0] as string, answer] as const);
/**
 * Recorded over gRPC without the objects from which changes and types of events are derived, which happens as
 * for the others: their effects are compared.
 */
const WITHOUT_OBJECTS = [
  'simulate/move-abort',
  'simulate/gas-coin-spent',
  'simulate/publish',
  'simulate/gas-coin-spent-other-content',
  'simulate/gas-coin-spent-4s-ago',
];
/** Simulated over gRPC without checks: the node made up a gas coin. */
const UNPAID = 'simulate/without-gas-payment-checks-disabled';
/** The dialects put different words before the same text. */
const OTHER_TEXT = 'simulate/malformed-bytes';

describe('a recorded node over gRPC', () => {
  let node: RawNode;
  let grpc: GrpcNode;
  let overGrpc: LedgerNodes;
  beforeAll(async () => {
    node = await RawNode.start((stream, headers) => void serveRecording(stream, headers));
    grpc = new GrpcNode({ url: node.url });
    overGrpc = new LedgerNodes({ urls: [node.url], timeoutMs: 10_000 });
  });
  afterAll(() => {
    grpc.close();
    node.stop();
  });
  const client = clientThrough((call) => grpc.run(call, 10_000));
  const show = async (digest: string, parts: readonly ShownPart[]) =>
    (await client.getTransaction(digest, parts)) as Shown;

  it.each(read)('shows %s as over JSON-RPC', async (_name, expected) => {
    const transaction = await show(expected.digest, SHOWN);
    expect(comparable(transaction)).toEqual(comparable(expected));
  });

  it('shows several transactions in the order of their digests, and null for an unknown one', async () => {
    const digests = [...read.map(([, { digest }]) => digest), '1'.repeat(31) + '2'];
    const transactions = await client.getTransactions(digests, SHOWN);
    expect(transactions.map((one) => one?.digest)).toEqual([...digests.slice(0, -1), undefined]);
  });

  it.each([...SHOWN, null])('shows the part of %s alone', async (part) => {
    const [, expected] = read.find(([name]) => name === 'transaction/stake')!;
    const transaction = await show(expected.digest, part === null ? [] : [part]);
    const field = part === 'input' ? 'transaction' : part;
    const names = ['digest', ...(field ? [field] : []), 'timestampMs', 'checkpoint'];
    expect(Object.keys(transaction).sort()).toEqual(names.sort());
    const { [field as 'effects']: value } = comparable(transaction);
    expect(value).toEqual(comparable(expected)[field as 'effects']);
  });

  const notFound = readRpcRecording().filter(
    ({ method, answer }) => method === 'iota_getTransactionBlock' && !answer.result,
  );
  it.each(notFound)('does not have $name, as over JSON-RPC', async (recorded) => {
    const json = await StandInNode.start(() => recorded.answer as { result: unknown });
    // A node that has pruned what another one has.
    const pruned = readGrpcRecording().find(({ name }) => name === recorded.name);
    const grpc = await RawNode.start((stream, headers) => {
      if (!pruned || !String(headers[':path']).endsWith(pruned.method)) {
        return void serveRecording(stream, headers);
      }
      answer(stream, [frameOf(Buffer.from(pruned.responses[0]!, 'base64'))]);
    });
    try {
      const digest = String(recorded.params[0]);
      const nodes = [new LedgerNodes({ urls: [grpc.url], timeoutMs: 5_000 }), clientOf(json)];
      const found = nodes.map((one) => findTransaction(one, digest));
      expect(await Promise.all(found)).toEqual([null, null]);
    } finally {
      grpc.stop();
      await json.stop();
    }
  });

  const executed = readGrpcRecording().filter(({ name }) => name.startsWith('execute/'));
  it.each(executed)('executes $name with the effects over JSON-RPC', async ({ name, request }) => {
    const [, expected] = read.find(([other]) => other === name.replace('execute', 'transaction'))!;
    const { transactions } = fromBinary(
      ExecuteTransactionsRequestSchema,
      Buffer.from(request, 'base64'),
    );
    const [item] = transactions;
    const signatures = item!.signatures!.signatures.map(({ bcs: signature }) =>
      Buffer.from(bcs.byteVector().parse(signature!.data)).toString('base64'),
    );
    const effects = await client.execute(item!.transaction!.bcs!.data, signatures);
    expect(effects).toEqual(expected.effects);
  });

  const dryRuns = (bytes: string, answer: object) =>
    Promise.all([
      dryRunTransaction(overGrpc, decoded(bytes)),
      StandInNode.start(() => answer as { result: unknown }).then((json) =>
        dryRunTransaction(clientOf(json), decoded(bytes)).finally(() => json.stop()),
      ),
    ]);
  const others = [...WITHOUT_OBJECTS, OTHER_TEXT];

  it.each(simulated.filter(([name]) => !others.includes(name)))(
    'judges %s as over JSON-RPC',
    async (_name, bytes, answer) => {
      const [grpc, json] = await dryRuns(bytes, answer);
      expect(partsOf(grpc)).toEqual(partsOf(json));
    },
  );

  it.each(simulated.filter(([name]) => name === OTHER_TEXT))(
    'judges %s as over JSON-RPC, in other words',
    async (_name, bytes, answer) => {
      const [grpc, json] = await dryRuns(bytes, answer);
      const [shared] = /invalid value:.*/.exec((json as { message: string }).message)!;
      const message = expect.stringContaining(shared) as unknown;
      expect([grpc, json]).toEqual(Array(2).fill({ kind: 'refused', message }));
    },
  );

  it.each(simulated.filter(([name]) => WITHOUT_OBJECTS.includes(name)))(
    'shows the effects of %s as over JSON-RPC',
    (_name, bytes, { result }) => {
      const sent = Buffer.from(bytes, 'base64');
      const transaction = showTransaction(recordedSimulation(bytes), ['effects'], sent);
      expect(transaction.effects).toEqual((result as Shown).effects);
    },
  );
});

/** A budget of 0, which only a simulation without checks may have, is executed as the largest one. */
const LARGEST_BUDGET = 50_000_000_000n;

/** The transaction whose digest the effects of a simulation have, but for the coin that the node makes up. */
function withBudget(sent: Uint8Array): Uint8Array {
  const { gasOwner: owner, gasPrice: price, ...decoded } = decodeTransaction(sent);
  if (decoded.gasBudget > 0n) return sent;
  const { sender, expirationEpoch } = decoded;
  const gas = { owner, payment: [], price, budget: LARGEST_BUDGET };
  return assembleTransaction({ kindBytes: readKindBytes(sent), sender, gas, expirationEpoch });
}

describe('effects that a node has answered', () => {
  const all = recordedEffects();

  it('are those of many transactions, one of them without payment', () => {
    const names = all.map(({ name }) => name);
    expect(names).toContain(UNPAID);
    expect(names.length).toBeGreaterThan(100);
  });

  it.each(all)('pass the checks of every answer: $name', ({ method, key, transaction }) => {
    const isSimulated = method === 'SimulateTransactions';
    const sent = isSimulated ? withBudget(Buffer.from(key, 'base64')) : undefined;
    const shownEffects = showTransaction(transaction, ['effects'], sent);
    expect(shownEffects.errors).toBeUndefined();
    const answer = (result: unknown) => new NodeAnswer(method, result);
    if (method === 'GetTransactions') {
      // A mask may leave the digest out.
      const answered = { ...shownEffects, digest: shownEffects.digest ?? key };
      readTransaction(answer(answered), key);
    } else {
      readExecution(answer(shownEffects.effects), sent ?? Buffer.from(key, 'base64'));
    }
  });
});

describe('a simulation without payment, recorded on a node', () => {
  const { key, transaction } = recordedEffects().find(({ name }) => name === UNPAID)!;
  const sent = withBudget(Buffer.from(key, 'base64'));

  it('changes no balance: the node makes up its gas coin', () => {
    expect(showTransaction(transaction, ['objectChanges', 'balanceChanges'], sent)).toMatchObject({
      balanceChanges: [],
      objectChanges: [{ type: 'mutated', objectId: `0x${'f'.repeat(64)}` }],
    });
  });

  const simulate = async (executedTransaction: object, bytes: Uint8Array) => {
    const node = await RawNode.start((stream, headers) => {
      if (!String(headers[':path']).endsWith('/SimulateTransactions')) {
        return void serveRecording(stream, headers);
      }
      const value = { executedTransaction };
      const result = { case: 'simulatedTransaction' as const, value };
      const schema = SimulateTransactionsResponseSchema;
      const response = create(schema, { transactionResults: [{ result }] });
      answer(stream, [frameOf(toBinary(schema, response))]);
    });
    try {
      const nodes = new LedgerNodes({ urls: [node.url], timeoutMs: 5_000 });
      return await dryRunTransaction(nodes, decodeTransaction(bytes));
    } finally {
      node.stop();
    }
  };

  it('has the digest of the transaction that was sent, as over JSON-RPC', async () => {
    const { digest } = decodeTransaction(sent);
    expect(await simulate(transaction, sent)).toMatchObject({
      kind: 'accepted',
      simulated: { effects: { transactionDigest: digest, status: { status: 'success' } } },
    });
  });

  it('is not believed about another transaction without payment', async () => {
    const { sender, gasOwner, gasPrice } = decodeTransaction(sent);
    const gas = { owner: gasOwner, payment: [], price: gasPrice + 1n, budget: LARGEST_BUDGET };
    const kindBytes = readKindBytes(sent);
    const other = assembleTransaction({ kindBytes, sender, gas, expirationEpoch: null });
    await expect(simulate(transaction, other)).rejects.toThrow(/answer to another call/);
  });
});

/** A transaction that the recording simulates; of bytes that are none, what a dry run reads. */
function decoded(text: string): DecodedTransaction {
  const bytes = Buffer.from(text, 'base64');
  try {
    return decodeTransaction(bytes);
  } catch {
    return {
      bytes: Uint8Array.from(bytes),
      gasPayment: [],
    } as Partial<DecodedTransaction> as DecodedTransaction;
  }
}

/**
 * The parts that both dialects show alike. The node decodes pure arguments of Move calls over JSON-RPC alone,
 * since their types are part of the called package. The raw transaction is not asked for.
 */
function comparable(response: Shown): Partial<Shown> {
  const unused = { rawTransaction: undefined };
  // Over gRPC, null says that no checkpoint includes the transaction.
  const checkpoint = response.checkpoint ?? undefined;
  const { transaction, ...rest } = { ...response, ...unused, checkpoint };
  if (!transaction) return rest;
  const program = transaction.data.transaction;
  const ofCalls = new Set(
    (program.transactions ?? []).flatMap(({ MoveCall: call }) =>
      (call?.arguments ?? []).map(({ Input: index }) => index),
    ),
  );
  const inputs = program.inputs?.map((input, index) =>
    input.type === 'pure' && ofCalls.has(index) ? { type: input.type } : input,
  );
  const data = { ...transaction.data, transaction: { ...program, ...(inputs && { inputs }) } };
  return { ...rest, transaction: { ...transaction, data } };
}

function partsOf(run: DryRun): object {
  if (run.kind !== 'accepted') return run;
  const { effects, events, objectChanges, balanceChanges } = run.simulated;
  return { kind: run.kind, effects, events, objectChanges, balanceChanges };
}
