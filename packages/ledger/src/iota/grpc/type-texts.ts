/** Zero, the Move library, the framework, the system, the system state, the clock and Stardust. */
const FRAMEWORK = /0x0*([0-3]|5|6|107a)::/g;
const LEADING_ZEROS = /0x0+(?=[\da-f]+::)/g;
const COMMA = /, ?/g;

/**
 * The type of an object, a coin or an event as nodes write it over JSON-RPC: short addresses of the ledger's own
 * packages, full ones of all others. `type` has full addresses.
 */
export function typeText(type: string): string {
  return type.replace(FRAMEWORK, '0x$1::').replace(COMMA, ', ');
}

/** A type argument of a command as nodes write it over JSON-RPC: every address without its leading zeros. */
export function typeArgumentText(type: string): string {
  return type.replace(LEADING_ZEROS, '0x').replace(COMMA, ', ');
}
