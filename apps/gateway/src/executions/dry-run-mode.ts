/** When a transaction is dry-run before it is claimed; `doubtful`: when looking at its objects does not suffice. */
export const dryRunModes = ['never', 'doubtful', 'always'] as const;
export type DryRunMode = (typeof dryRunModes)[number];
