/** Outcome of a submitted transaction: see `MaintenanceOutcome`. */
export type SubmissionOutcome = 'overtaken' | 'made' | 'failed' | 'conflict' | 'unknown';

/**
 * `idle`: no transaction was worthwhile. `overtaken`: another process has ended the operation after its lease;
 * nothing was signed. `made`: done. `failed`: executed or refused without effect; a repetition would fail as well.
 * `conflict`: refused because of an object, so it may still land. `unknown`: no answer.
 */
export type MaintenanceOutcome = 'idle' | SubmissionOutcome;
