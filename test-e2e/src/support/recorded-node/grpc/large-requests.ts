import { create, toBinary } from '@bufbuild/protobuf';
import { ExecuteTransactionsRequestSchema } from '@forecourt/ledger/node-messages';
import type { RecordedGrpcCall } from '@forecourt/ledger/recorded-node';
import { bcs } from '@iota/iota-sdk/bcs';
import { Transaction } from '@iota/iota-sdk/transactions';
import { fromBase64 } from '@iota/iota-sdk/utils';
import type { GrpcScenario } from './grpc-scenario.js';

/**
 * The number of ones in place of a transaction, in requests of which the recording has only the beginning.
 */
const ONES: Readonly<Record<string, number>> = {
  'protocol/request-of-3.9MiB': 4_089_446,
  'protocol/request-of-4.1MiB': 4_299_161,
  'protocol/request-of-20MiB': 20_971_520,
};
const LARGE_TRANSACTION = 'execute-error/transaction-larger-than-128KiB';
const LARGE_BYTES = 135_654;
/** Inputs of nearly as many bytes as one may have; another one has the rest. */
const INPUT = new Uint8Array(16_000);
const INPUTS = 8;

/** A request of the same size and kind as a shortened one; null for other calls. */
export async function largeRequest(
  scenario: GrpcScenario,
  { name }: RecordedGrpcCall,
): Promise<Uint8Array | null> {
  const ones = ONES[name];
  if (ones !== undefined) return encode(new Uint8Array(ones).fill(1), []);
  return name === LARGE_TRANSACTION ? largeTransaction(scenario) : null;
}

async function largeTransaction(scenario: GrpcScenario): Promise<Uint8Array> {
  const { user, sponsor } = scenario;
  const coin = scenario.takeCoin(sponsor);
  const build = (rest: number) => {
    const transaction = new Transaction();
    for (let index = 0; index < INPUTS; index += 1) transaction.pure(INPUT);
    transaction.pure(new Uint8Array(rest));
    transaction.setSender(scenario.addressOf(user));
    transaction.setGasOwner(scenario.addressOf(sponsor));
    transaction.setGasPayment([coin]);
    transaction.setGasPrice(1000);
    transaction.setGasBudget(20_000_000);
    return transaction.build({ maxSizeBytes: 2 * LARGE_BYTES });
  };
  // The length of a list has two bytes from 128 on.
  const smallest = (await build(128)).length - 128;
  const bytes = await build(LARGE_BYTES - smallest);
  const signatures = [];
  for (const account of [user, sponsor]) {
    const { signature } = await scenario.keyOf(account)!.signTransaction(bytes);
    signatures.push(fromBase64(signature));
  }
  return encode(bytes, signatures);
}

function encode(data: Uint8Array, signatures: readonly Uint8Array[]): Uint8Array {
  const items = signatures.map((one) => ({
    bcs: { data: bcs.byteVector().serialize(one).toBytes() },
  }));
  const request = {
    transactions: [{ transaction: { bcs: { data } }, signatures: { signatures: items } }],
  };
  return toBinary(
    ExecuteTransactionsRequestSchema,
    create(ExecuteTransactionsRequestSchema, request),
  );
}
