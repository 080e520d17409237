/** The largest transaction that a node accepts, in bytes. */
export const MAX_TRANSACTION_BYTES = 128 * 1024;

/** Ids in one `multiGetObjects` call. */
export const MAX_OBJECTS_PER_READ = 50;

/** Objects and packages that a transaction may name: each may cost a lookup at a node. */
export const MAX_NAMED_OBJECTS = 512;

/** Commands of a transaction; the ledger takes fewer. */
export const MAX_COMMANDS = 1_024;

/** Arguments of a command; the ledger takes fewer. */
export const MAX_ARGUMENTS = 512;

/** Type arguments in one list; the ledger takes fewer in a whole command. */
export const MAX_TYPE_ARGUMENTS = 16;

/** Coins that may pay for a transaction. */
export const MAX_GAS_COINS = 256;

/** Coins made by one split; within the ledger's limit of arguments of a command. */
export const MAX_COINS_PER_SPLIT = 500;

/** Storage cost of one gas coin, in the smallest unit: 129 bytes × 100 × 76. */
export const COIN_STORAGE_COST = 980_400n;

/** Least number of computation units that the ledger charges, at the gas price each. */
export const MIN_COMPUTATION_UNITS = 1000n;

/** From this protocol version on, validators certify no transactions and lock objects only briefly. */
export const FIRST_PROTOCOL_WITHOUT_CERTIFICATES = 32;
