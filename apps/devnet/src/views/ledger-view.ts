import type { EngineInterface } from '../engine/engine-interface.js';

/** The ledger as a read sees it: the engine itself, or the same a while ago. */
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
