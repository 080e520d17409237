/** Smallest and largest `gas_budget`, in the ledger's smallest unit (specification, "Limits"). */
export const GAS_BUDGET_BOUNDS = { min: 1, max: 1_999_999_999 } as const;
/**
 * The largest budget of the ledger's own protocol: beyond the specification's, for clients that cannot be
 * changed.
 */
export const LEDGER_MAX_GAS_BUDGET = 50_000_000_000;
/** Shortest and longest `reserve_duration_secs` (specification, "Limits"). */
export const RESERVE_DURATION_BOUNDS = { min: 1, max: 600 } as const;
/** How long coins are reserved for a built transaction by default. */
export const DEFAULT_BUILD_DURATION_SECS = 60;

/** Longest base64 of a transaction that the ledger accepts (128 KiB of bytes). */
export const MAX_TX_BYTES_LENGTH = Math.ceil((128 * 1024) / 3) * 4;
/** Longest base64 of a signature; the largest schemes (multisig of zkLogin) stay far below. */
export const MAX_USER_SIG_LENGTH = 64 * 1024;

/** The largest body of a request that reserves or releases, in bytes. */
export const MAX_RESERVATION_BODY = 1_024;
/** The other fields of a request that carries a transaction. */
const OTHER_FIELDS = 4 * 1024;
/** Some clients write a backslash before each slash of JSON, and base64 may consist of slashes. */
const BYTES_OF_BASE64 = 2;
/** The largest body of a request with a transaction, and of one with a signed transaction. */
export const MAX_TRANSACTION_BODY = BYTES_OF_BASE64 * MAX_TX_BYTES_LENGTH + OTHER_FIELDS;
export const MAX_EXECUTION_BODY = MAX_TRANSACTION_BODY + BYTES_OF_BASE64 * MAX_USER_SIG_LENGTH;

/**
 * The longest URL that names a webhook, and the largest body with it: JSON may write a character with six
 * bytes.
 */
export const MAX_WEBHOOK_URL_LENGTH = 2_048;
export const MAX_WEBHOOK_BODY = 6 * MAX_WEBHOOK_URL_LENGTH + 1_024;

/** Bounds of the number of listed transactions in flight, for each state of each sponsor. */
export const LISTED_BOUNDS = { min: 0, max: 100 } as const;

export const requestTypes = ['waitForEffectsCert', 'waitForLocalExecution'] as const;
/** When execute answers: once the effects are final, or once the node that serves reads also shows them. */
export type RequestType = (typeof requestTypes)[number];
export const DEFAULT_REQUEST_TYPE: RequestType = 'waitForEffectsCert';
