export { ledgerFailure } from './ledger-failure.js';
export {
  type FindNetwork,
  LEDGER,
  LedgerModule,
  ledgerOptions,
  type LedgerSettings,
  networkOfSponsors,
} from './ledger.module.js';
