import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { LedgerCodec } from '../ledger.js';
import { findUnsupportedScheme, readAbstractAccount } from './signatures/user-signatures.js';
import { SignatureVerifier } from './signatures/signature-verifier.js';
import { readBalanceChanges } from './transactions/balance-changes.js';
import {
  buildConsolidation,
  buildSplit,
  buildWithdrawal,
  findRecipients,
} from './transactions/build-transactions.js';
import { assembleTransaction } from './transactions/decoding/assemble-transaction.js';
import { decodeTransaction, readKindBytes } from './transactions/decoding/decode-transaction.js';
import { transactionJson } from './transactions/decoding/transaction-json.js';

const ADDRESS = /^0x[0-9a-f]{1,64}$/i;

export function createIotaCodec(): LedgerCodec {
  const signatures = new SignatureVerifier();
  return {
    normalizeAddress(address) {
      if (!ADDRESS.test(address)) throw new TypeError(`${address} is not an address`);
      return normalizeIotaAddress(address);
    },
    decodeTransaction,
    assembleTransaction,
    readBalanceChanges,
    kindBytesOf: ({ bytes }) => readKindBytes(bytes),
    transactionJson: ({ bytes }) => transactionJson(bytes),
    verifyTransactionSignature: (transaction, signature, signer) =>
      signatures.verify(transaction.bytes, signature, signer),
    abstractAccount: readAbstractAccount,
    unsupportedSignature: findUnsupportedScheme,
    buildSplit,
    buildConsolidation,
    buildWithdrawal,
    findRecipients,
  };
}
