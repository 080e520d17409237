import type { LedgerCodec } from './ledger-codec.js';
import type { LedgerReader } from './ledger-reader.js';
import type { LedgerSubmitter } from './ledger-submitter.js';

/** One chain: its bytes, its state and its nodes. */
export type Ledger = LedgerCodec & LedgerReader & LedgerSubmitter;
