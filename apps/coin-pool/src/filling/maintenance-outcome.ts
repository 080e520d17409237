/** What became of a transaction that was submitted: see `MaintenanceOutcome`. */
export type SubmissionOutcome = 'made' | 'failed' | 'conflict' | 'unknown';

/**
 * `idle`: no transaction was worthwhile. `overtaken`: another process has ended the operation, whose lease was over; nothing
 * was signed. `made`: done. `failed`: executed or refused without effect; a repetition would fail as well. `conflict`: refused
 * over an object, so it may still land. `unknown`: no answer.
 */
export type MaintenanceOutcome = 'idle' | 'overtaken' | SubmissionOutcome;
