import type { CommandKind } from '@forecourt/ledger';

/** Commands that make or change packages. */
export const PACKAGE_KINDS: readonly CommandKind[] = ['Publish', 'Upgrade'];

/** Commands that divide and move what users own, whatever else a transaction does. */
export const TRANSFER_KINDS: readonly CommandKind[] = [
  'SplitCoins',
  'MergeCoins',
  'TransferObjects',
];
