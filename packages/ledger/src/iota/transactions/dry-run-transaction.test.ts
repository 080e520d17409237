import { describe, expect, it } from '@jest/globals';
import { JsonRpcError } from '@iota/iota-sdk/client';
import { createJsonRpcClient } from '../json-rpc/create-json-rpc-client.js';
import { LedgerUnreachable } from '../../ledger-unreachable.js';
import { decodeTransaction } from './decoding/decode-transaction.js';
import { dryRunTransaction } from './dry-run-transaction.js';
import { someEffects } from './effects.test-support.js';
import { clientOf, StandInNode } from '../nodes/stand-in-node.test-support.js';
import { aTransaction } from './transaction.test-support.js';

const inputs = 'Error checking transaction input objects: ';

/** A node that gives these answers to dry runs, in order. */
function aNode(...answers: (Error | object)[]) {
  let calls = 0;
  const post = (): Promise<unknown> => {
    const answer = answers[Math.min(calls++, answers.length - 1)]!;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { client: createJsonRpcClient(post), calls: () => calls };
}

const aDecoded = async () => decodeTransaction((await aTransaction()).bytes);

describe('a dry run', () => {
  it('succeeds when Move fails: the ledger would execute the transaction', async () => {
    const status = { status: 'failure', error: 'MoveAbort(1) in command 0' } as const;
    const transaction = await aDecoded();
    const { digest: transactionDigest, gasOwner, gasPayment } = transaction;
    const reference = { ...gasPayment[0]!, version: 8 };
    const gasObject = { owner: { AddressOwner: gasOwner }, reference };
    const { client } = aNode({ effects: someEffects({ status, transactionDigest, gasObject }) });
    expect(await dryRunTransaction(client, transaction)).toMatchObject({ kind: 'accepted' });
  });

  it.each<[number, string, 'refused' | 'undecided']>([
    [-32600, 'Mutable parameter provided, immutable parameter expected', 'refused'],
    [-32602, `${inputs}anything`, 'refused'],
    [-32602, `${inputs}GasBudgetTooLow { gas_budget: 1, min_budget: 1000000 }`, 'refused'],
    [-32602, `${inputs}PackageVerificationTimedout { err: "Verification timed out" }`, 'refused'],
    [-32002, 'A text that no version had before', 'refused'],
    [
      -32603,
      `${inputs}A move package is expected, instead a move object is passed: 0x1`,
      'refused',
    ],
    [-32603, `${inputs}a text that no version had before`, 'refused'],
    [-32000, 'Package verification failed: Verification timed out', 'refused'],
    [-32603, 'Internal error', 'undecided'],
    [-32601, 'Method not found', 'undecided'],
    [-32050, 'Transaction timed out before reaching finality', 'undecided'],
    [-32009, 'Too many requests', 'undecided'],
    [-32602, 'The node is overloaded: too many requests', 'undecided'],
  ])('classifies a node’s answer of %d %s as %s', async (code, message, kind) => {
    const { client } = aNode(new JsonRpcError(message, code));
    expect(await dryRunTransaction(client, await aDecoded())).toEqual({ kind, message });
  });

  it('attributes a refusal because of the gas coin to a lagging node: the coin is the sponsor’s', async () => {
    const transaction = await aDecoded();
    const [coin] = transaction.gasPayment;
    const message = `Could not find the referenced object ${coin!.objectId} at version None`;
    const { client } = aNode(new JsonRpcError(message, -32600));
    expect(await dryRunTransaction(client, transaction)).toEqual({ kind: 'behind', message });
  });

  it.each([
    [-32600, 'Could not find the referenced object 0x1 at version None'],
    [-32602, `${inputs}ObjectNotFound { object_id: 0x1, version: None }`],
    [-32602, `${inputs}Dependent package not found on-chain: 0x1`],
    [-32602, `${inputs}DependentPackageNotFound { package_id: 0x1 }`],
  ])(
    'names a missing object, which the node may not have seen yet: %d %s',
    async (code, message) => {
      const node = aNode(new JsonRpcError(message, code));
      const outcome = await dryRunTransaction(node.client, await aDecoded());
      expect(outcome).toEqual({ kind: 'missing', message });
      expect(node.calls()).toBe(1);
    },
  );

  it('throws LedgerUnreachable when no node answers', async () => {
    const node = await StandInNode.start(() => 'silence');
    await node.stop();
    const dryRun = dryRunTransaction(clientOf(node), await aDecoded());
    await expect(dryRun).rejects.toThrow(LedgerUnreachable);
  });
});
