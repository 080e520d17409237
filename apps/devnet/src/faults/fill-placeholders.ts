import { fromBase64 } from '@iota/iota-sdk/utils';
import { TransactionDataBuilder } from '@iota/iota-sdk/transactions';

/**
 * Fills `{gasObjectId}`, `{gasVersion}`, `{gasDigest}`, `{sender}` and `{digest}` in an error text from the call's
 * transaction bytes; a call without readable bytes leaves them unchanged.
 */
export function fillPlaceholders(text: string, params: unknown): string {
  if (!text.includes('{')) return text;
  const facts = describeSubmission(params);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => facts[name] ?? whole);
}

/** Describes the transaction in a call; empty when its bytes are unreadable. */
export function describeSubmission(params: unknown): Readonly<Record<string, string>> {
  const bytes: unknown = Array.isArray(params) ? params[0] : undefined;
  if (typeof bytes !== 'string') return {};
  try {
    return describeTransaction(fromBase64(bytes));
  } catch {
    return {};
  }
}

function describeTransaction(bytes: Uint8Array): Record<string, string> {
  const { sender, gasData } = TransactionDataBuilder.fromBytes(bytes);
  const coin = gasData.payment?.[0];
  return {
    sender: sender ?? '',
    digest: TransactionDataBuilder.getDigestFromBytes(bytes),
    gasObjectId: coin?.objectId ?? '',
    gasVersion: coin ? `0x${BigInt(coin.version).toString(16)}` : '',
    gasDigest: coin?.digest ?? '',
  };
}
