import { JsonRpcCode } from '@forecourt/json-rpc';
import type { BalancerReply, FalseAnswer, Refusal } from '../faults/fault.js';
import {
  MISREPORT_PRESETS,
  REFUSAL_PRESETS,
  TRANSIENT_PRESETS,
} from '../faults/refusal-presets.js';
import {
  type Body,
  InvalidControlRequest,
  readChoice,
  readInteger,
  readText,
  requireInteger,
} from './read-fields.js';

const LARGEST_STATUS = 599;

/** Answers to a submission with an unknown outcome, by name. `dropped`: no answer, the connection is destroyed. */
export const FIRST_ANSWERS = {
  timeout: { code: JsonRpcCode.transient, message: TRANSIENT_PRESETS.timeout },
  'no-finality': { code: JsonRpcCode.transient, message: TRANSIENT_PRESETS['no-finality'] },
  'gateway-timeout': balancerReply(504),
  dropped: 'dropped',
} as const satisfies Record<string, FalseAnswer | 'dropped'>;

/** A preset, an HTTP status, or an error with a message and a code. Every reader throws `InvalidControlRequest`. */
export function readFalseAnswer(body: Body): FalseAnswer {
  if (body['status'] !== undefined) return readHttpReply(body);
  const preset = readChoice(body, 'preset', MISREPORT_PRESETS);
  return preset === undefined ? readRefusal(body) : MISREPORT_PRESETS[preset];
}

export function readHttpReply(body: Body): BalancerReply {
  const status = requireInteger(body, 'status', 200);
  if (status > LARGEST_STATUS) {
    throw new InvalidControlRequest(`"status" must be an integer of at most ${LARGEST_STATUS}`);
  }
  const usual = balancerReply(status);
  return {
    status,
    contentType: readText(body, 'contentType') ?? usual.contentType,
    body: readText(body, 'body') ?? usual.body,
  };
}

function balancerReply(status: number): BalancerReply {
  return { status, contentType: 'text/html', body: `<html><body><h1>${status}</h1></body></html>` };
}

export function readRefusal(body: Body): Refusal {
  const preset = readChoice(body, 'preset', REFUSAL_PRESETS);
  const chosen = preset === undefined ? undefined : REFUSAL_PRESETS[preset];
  const message = readText(body, 'message');
  const code = readInteger(body, 'code', -2_147_483_648);
  const data = body['data'];
  if (chosen !== undefined && message === undefined && code === undefined && data === undefined) {
    return chosen;
  }
  const text = message ?? chosen?.message;
  if (text === undefined) {
    throw new InvalidControlRequest('the fault needs a "preset", or a "message" and a "code"');
  }
  return {
    code: code ?? chosen?.code ?? JsonRpcCode.transactionClientError,
    message: text,
    ...(data !== undefined && { data }),
  };
}
