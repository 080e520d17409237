import {
  type GetServiceInfoRequest,
  LedgerService,
  ObjectResultSchema,
  TransactionResultSchema,
} from '@forecourt/ledger/node-messages';
import { chooseView, type LedgerView } from '../views/lagging-view.js';
import { readCheckpoint, streamCheckpoints } from './checkpoint-stream.js';
import { describeEpoch, describeHealth, describeService } from './describe-node.js';
import type { Handlers } from './grpc-calls.js';
import { inMessages, requireMessageSize } from './message-size.js';
import { readObjects, readTransactions } from './read-items.js';
import { EQUIVALENTS, type ServedNode } from './served-node.js';

/** The methods of `LedgerService`. */
export function ledgerService(node: ServedNode): Handlers<typeof LedgerService> {
  const { fullNode, faultyCalls } = node;
  const guarded = <T>(name: string, run: (view: LedgerView) => T): Promise<T> =>
    faultyCalls.run(name, [], async () => run(chooseView(fullNode, faultyCalls.faults, name)));
  return {
    getHealth: {
      name: () => EQUIVALENTS.GetHealth,
      answer: (request) => guarded(EQUIVALENTS.GetHealth, (view) => describeHealth(view, request)),
    },
    getServiceInfo: {
      name: nameOfInfo,
      answer: (request) =>
        guarded(nameOfInfo(request), (view) => describeService(node, view, request)),
    },
    getEpoch: {
      name: () => EQUIVALENTS.GetEpoch,
      answer: (request) => guarded(EQUIVALENTS.GetEpoch, () => describeEpoch(node, request)),
    },
    getObjects: {
      name: () => EQUIVALENTS.GetObjects,
      answer: (request) =>
        guarded(EQUIVALENTS.GetObjects, (view) => {
          const results = readObjects(node, view, request);
          const limit = requireMessageSize(request.maxMessageSizeBytes);
          const batches = [...inMessages(ObjectResultSchema, results, limit)];
          return batches.map(([objects, hasNext]) => ({ objects, hasNext }));
        }),
    },
    getTransactions: {
      name: () => EQUIVALENTS.GetTransactions,
      answer: (request) =>
        guarded(EQUIVALENTS.GetTransactions, (view) => {
          const results = readTransactions(node, view, request);
          const limit = requireMessageSize(request.maxMessageSizeBytes);
          const batches = [...inMessages(TransactionResultSchema, results, limit)];
          return batches.map(([transactionResults, hasNext]) => ({ transactionResults, hasNext }));
        }),
    },
    getCheckpoint: {
      name: () => EQUIVALENTS.GetCheckpoint,
      answer: (request) =>
        guarded(EQUIVALENTS.GetCheckpoint, (view) => readCheckpoint(node, view, request)),
    },
    streamCheckpoints: {
      name: () => EQUIVALENTS.StreamCheckpoints,
      answer: (request, cancelled) =>
        guarded(EQUIVALENTS.StreamCheckpoints, () => streamCheckpoints(node, request, cancelled)),
    },
  };
}

/** Callers that ask for nothing else identify the chain. */
function nameOfInfo({ readMask }: GetServiceInfoRequest): string {
  const isIdentity = readMask?.paths.length === 1 && readMask.paths[0] === 'chain_id';
  return isIdentity ? EQUIVALENTS.GetChainId : EQUIVALENTS.GetServiceInfo;
}
