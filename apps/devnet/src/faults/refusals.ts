import { fromBase64 } from '@iota/iota-sdk/utils';
import { TransactionDataBuilder } from '@iota/iota-sdk/transactions';
import { HttpReply } from '@forecourt/json-rpc';
import { JsonRpcError } from '@forecourt/contracts';
import { LockConflict } from '../engine/lock-conflict.js';
import { InputsRefused } from '../engine/inputs-refused.js';
import type { FalseAnswer, Refusal } from './fault.js';
import { UNKNOWN_DIGEST } from './refusal-presets.js';

/**
 * Fills `{gasObjectId}`, `{gasVersion}`, `{gasDigest}`, `{sender}` and `{digest}` in an error text from the
 * call's transaction bytes; a call without readable bytes leaves them unchanged.
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

/** The fault's error for a call with these parameters, for any outcome of the call. */
export function makeFalseAnswer(answer: FalseAnswer, params: unknown): Error {
  if (!('status' in answer)) return makeRefusal(answer, params);
  return new HttpReply(answer.status, answer.contentType, answer.body);
}

/** The fault's error for a call with these parameters. */
export function makeRefusal({ code, message, about, data }: Refusal, params: unknown): Error {
  const text = fillPlaceholders(message, params);
  switch (about) {
    case undefined:
      return new JsonRpcError(code, text, data);
    case 'locks':
      return new LockConflict(text, new Map([[UNKNOWN_DIGEST, gasCoinOf(params)]]));
    case 'bytes':
      return new InputsRefused({ text, missing: false }, 'node');
    case 'inputs':
    case 'missing-inputs':
      return new InputsRefused({ text, missing: about === 'missing-inputs' }, 'validators');
  }
}

function gasCoinOf(params: unknown) {
  const { gasObjectId, gasVersion, gasDigest } = describeSubmission(params);
  if (!gasObjectId) return [];
  return [{ objectId: gasObjectId, version: Number(gasVersion), digest: gasDigest ?? '' }];
}
