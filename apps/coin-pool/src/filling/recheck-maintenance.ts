import type { DecodedTransaction } from '@forecourt/ledger';
import { mayReceive } from '../withdrawing/may-receive.js';
import type { ResolveDependencies } from './maintenance-dependencies.js';
import type { BoundOperation } from './run-maintenance.js';

/**
 * Decodes and checks the bytes of an interrupted operation before they are signed: write access to Redis must not
 * decide the destination of funds. Throws `Error` with the violation, and `InvalidTransactionBytes`.
 */
export function recheckMaintenance(
  dependencies: ResolveDependencies,
  sponsor: string,
  { kind, bytes, digest }: BoundOperation,
): DecodedTransaction {
  const { ledger } = dependencies;
  const transaction = ledger.decodeTransaction(bytes);
  if (transaction.digest !== digest) {
    throw new Error(`Maintenance not signed: the digest is ${transaction.digest}, not ${digest}`);
  }
  const recipients = ledger.findRecipients(bytes);
  if (recipients === null) {
    throw new Error(`Maintenance not signed: ${digest} does more than move coins of the sponsor`);
  }
  const isAllowed = (address: string) =>
    address === sponsor || (kind === 'withdrawal' && mayReceive(dependencies, address));
  const stranger = recipients.find((address) => !isAllowed(address));
  if (stranger !== undefined) {
    throw new Error(`Maintenance not signed: ${digest} sends coins to ${stranger}`);
  }
  return transaction;
}
