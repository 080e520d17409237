import { JsonRpcCode } from '@forecourt/contracts';
import type { BalancerReply, FalseAnswer, Refusal, Fault } from '../faults/fault.js';
import {
  MISREPORT_PRESETS,
  REFUSAL_PRESETS,
  TRANSIENT_PRESETS,
} from '../faults/refusal-presets.js';
import {
  type Body,
  readChoice,
  readInteger,
  readText,
  requireInteger,
  readBody,
} from './read-ledger-request.js';
import { InvalidControlRequest } from './invalid-control-request.js';

const LARGEST_STATUS = 599;

/**
 * Answers to a submission with an unknown outcome, by name. `dropped`: no answer, the connection is
 * destroyed.
 */
const FIRST_ANSWERS = {
  timeout: { code: JsonRpcCode.transient, message: TRANSIENT_PRESETS.timeout },
  'no-finality': { code: JsonRpcCode.transient, message: TRANSIENT_PRESETS['no-finality'] },
  'gateway-timeout': balancerReply(504),
  dropped: 'dropped',
} as const satisfies Record<string, FalseAnswer | 'dropped'>;

/**
 * A preset, an HTTP status, or an error with a message and a code. Every reader throws
 * `InvalidControlRequest`.
 */
function readFalseAnswer(body: Body): FalseAnswer {
  if (body['status'] !== undefined) return readHttpReply(body);
  const preset = readChoice(body, 'preset', MISREPORT_PRESETS);
  return preset === undefined ? readRefusal(body) : MISREPORT_PRESETS[preset];
}

function readHttpReply(body: Body): BalancerReply {
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

function readRefusal(body: Body): Refusal {
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

export interface FaultRequest {
  readonly fault: Fault;
  readonly times: number | null;
  readonly forMs: number | null;
}

const ABOVE_64_BITS = String(2n ** 64n);
const TRANSIENT_TIMES = { before: true, after: true, later: true, never: true };

const EXECUTE = 'iota_executeTransactionBlock';

/** Reads the body of `POST /faults`. Throws `InvalidControlRequest`. */
export function readFault(body: unknown): FaultRequest {
  const fields = readBody(body);
  return {
    fault: readKind(fields),
    times: readInteger(fields, 'times', 1) ?? null,
    forMs: readInteger(fields, 'forMs', 1) ?? null,
  };
}

function readKind(body: Body): Fault {
  const method = readText(body, 'method');
  const onExecute = method ?? EXECUTE;
  const onAny = method === undefined ? {} : { method };
  switch (body['kind']) {
    case 'latency': {
      const fixed = readInteger(body, 'ms', 0);
      const minMs = fixed ?? readInteger(body, 'minMs', 0);
      const maxMs = fixed ?? readInteger(body, 'maxMs', minMs ?? 0);
      if (minMs === undefined || maxMs === undefined) {
        throw new InvalidControlRequest('latency needs "ms", or "minMs" and "maxMs"');
      }
      return { kind: 'latency', ...onAny, minMs, maxMs, when: readWhen(body, 'before') };
    }
    case 'refuse':
      return { kind: 'refuse', method: onExecute, ...readRefusal(body) };
    case 'transient': {
      const preset = readChoice(body, 'preset', TRANSIENT_PRESETS) ?? 'timeout';
      const message = readText(body, 'message') ?? TRANSIENT_PRESETS[preset];
      const when = readChoice(body, 'when', TRANSIENT_TIMES) ?? 'after';
      const afterMs = readInteger(body, 'afterMs', 0) ?? 0;
      return {
        kind: 'transient',
        method: onExecute,
        when,
        afterMs,
        message,
      };
    }
    case 'misreport':
      return { kind: 'misreport', method: onExecute, answer: readFalseAnswer(body) };
    case 'refuseMeanwhile':
      return {
        kind: 'refuseMeanwhile',
        method: EXECUTE,
        afterMs: requireInteger(body, 'afterMs', 1),
        first: FIRST_ANSWERS[readChoice(body, 'first', FIRST_ANSWERS) ?? 'timeout'],
        refusal: readRefusal(body),
      };
    case 'split': {
      const ms = readInteger(body, 'ms', 1);
      if (ms === undefined) throw new InvalidControlRequest('split needs "ms"');
      return { kind: 'split', method: EXECUTE, ms };
    }
    case 'loseReply':
      return { kind: 'loseReply', method: onExecute };
    case 'mixAnswers':
      return { kind: 'mixAnswers', ...onAny };
    case 'outOfRange': {
      const storageCost = readText(body, 'storageCost') ?? ABOVE_64_BITS;
      return { kind: 'outOfRange', method: onExecute, storageCost };
    }
    case 'endless':
      return { kind: 'endless', method: onExecute };
    case 'lag': {
      const ms = readInteger(body, 'ms', 1);
      const checkpoints = readInteger(body, 'checkpoints', 1);
      if ((ms === undefined) === (checkpoints === undefined)) {
        throw new InvalidControlRequest('lag needs either "ms" or "checkpoints"');
      }
      return { kind: 'lag', ...onAny, ...(ms !== undefined ? { ms } : { checkpoints }) };
    }
    case 'down': {
      const mode = readChoice(body, 'mode', { refuse: true, reset: true }) ?? 'refuse';
      return { kind: 'down', mode };
    }
    case 'rateLimit':
      return { kind: 'rateLimit', ...onAny, ...readRateLimit(body) };
    case 'httpReply':
      return { kind: 'httpReply', ...onAny, ...readHttpReply(body) };
    case 'omitChanges': {
      const digest = readText(body, 'digest');
      return { kind: 'omitChanges', ...onAny, ...(digest !== undefined && { digest }) };
    }
    case 'unconvertible': {
      const digest = readText(body, 'digest');
      if (digest === undefined) throw new InvalidControlRequest('unconvertible needs "digest"');
      return { kind: 'unconvertible', ...onAny, digest };
    }
    case 'nagle':
      return { kind: 'nagle' };
    case 'reorder':
      return { kind: 'reorder', group: requireInteger(body, 'group', 2) };
    default:
      throw new InvalidControlRequest(
        '"kind" must be one of latency, refuse, transient, misreport, refuseMeanwhile, split, loseReply, mixAnswers, outOfRange, endless, lag, down, rateLimit, httpReply, ' +
          'omitChanges, unconvertible, reorder, nagle',
      );
  }
}

function readRateLimit(body: Body) {
  return {
    as: readChoice(body, 'as', { status: true, error: true }) ?? 'status',
    retryAfterSecs: readInteger(body, 'retryAfterSecs', 0) ?? 1,
    perSecond: readInteger(body, 'perSecond', 0) ?? null,
    of: readChoice(body, 'of', { requests: true, notFound: true }) ?? 'requests',
  } as const;
}

function readWhen(body: Body, fallback: 'before' | 'after'): 'before' | 'after' {
  return readChoice(body, 'when', { before: true, after: true }) ?? fallback;
}
