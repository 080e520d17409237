import type { EngineInterface } from '../engine/engine-interface.js';

/** The ledger as a read sees it: the current state or an earlier one. */
export type LedgerView = Pick<
  EngineInterface,
  | 'getObject'
  | 'listOwnedObjects'
  | 'listCoins'
  | 'getBalance'
  | 'getAllBalances'
  | 'getTransaction'
  | 'transactionCount'
  | 'listTransactions'
  | 'latestCheckpoint'
  | 'getCheckpoint'
  | 'listCheckpoints'
>;
