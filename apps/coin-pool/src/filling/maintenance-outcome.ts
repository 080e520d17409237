/**
 * `idle`: nothing was worth a transaction. `made`: done. `failed`: executed or refused without making anything; the same
 * again would fail again. `conflict`: refused over an object, so that it may land yet. `unknown`: no answer.
 */
export type MaintenanceOutcome = 'idle' | 'made' | 'failed' | 'conflict' | 'unknown';
