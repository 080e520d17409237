/** The largest transaction a node takes, in bytes. */
export const MAX_TRANSACTION_BYTES = 128 * 1024;

/** Ids in one `multiGetObjects` call. */
export const MAX_OBJECTS_PER_READ = 50;

/** Objects and packages that a transaction may name: each of them may have to be looked up at a node. */
export const MAX_NAMED_OBJECTS = 512;

/** Commands of a transaction; the ledger takes fewer. */
export const MAX_COMMANDS = 1_024;

/** Arguments of a command; the ledger takes fewer. */
export const MAX_ARGUMENTS = 512;

/** Type arguments in one list; the ledger takes fewer in a whole command. */
export const MAX_TYPE_ARGUMENTS = 16;

/** Coins that may pay for a transaction. */
export const MAX_GAS_COINS = 256;

/** Coins one split makes: stays below the arguments a command may have. */
export const MAX_COINS_PER_SPLIT = 500;

/** What storing one gas coin costs, in the smallest unit: 129 bytes × 100 × 76. */
export const COIN_STORAGE_COST = 980_400n;

/** Computation is charged at least these units, at the gas price each. */
export const MIN_COMPUTATION_UNITS = 1000n;

/** From this protocol version on, validators certify no transactions and lock objects only for a moment. */
export const FIRST_PROTOCOL_WITHOUT_CERTIFICATES = 32;
