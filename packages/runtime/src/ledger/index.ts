export { LEDGER, LedgerModule, type LedgerSettings } from './ledger.module.js';
