export { LEDGER, LedgerModule } from './ledger.module.js';
export { ledgerOptions, type LedgerSettings } from './ledger-options.js';
