/**
 * `idle`: no transaction was worthwhile. `made`: done. `failed`: executed or refused without effect; a repetition would
 * fail as well. `conflict`: refused over an object, so it may still land. `unknown`: no answer.
 */
export type MaintenanceOutcome = 'idle' | 'made' | 'failed' | 'conflict' | 'unknown';
