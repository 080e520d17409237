import { HttpReply, JsonRpcError } from '@forecourt/json-rpc';
import { InputsRefused, LockConflict } from '../engine/engine-error.js';
import type { FalseAnswer, Refusal } from './fault.js';
import { describeSubmission, fillPlaceholders } from './fill-placeholders.js';
import { UNKNOWN_DIGEST } from './refusal-presets.js';

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
