import type { CommandKind } from '@forecourt/ledger';

/** Commands that publish or upgrade packages. */
export const PACKAGE_KINDS: readonly CommandKind[] = ['Publish', 'Upgrade'];

/** Commands that split, merge and transfer objects that users own. */
export const TRANSFER_KINDS: readonly CommandKind[] = [
  'SplitCoins',
  'MergeCoins',
  'TransferObjects',
];
