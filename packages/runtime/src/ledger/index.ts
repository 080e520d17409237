export { LEDGER, LedgerModule, ledgerOptions, type LedgerSettings } from './ledger.module.js';
