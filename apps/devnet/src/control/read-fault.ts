import type { Fault } from '../faults/fault.js';
import {
  REFUSAL_PRESETS,
  TRANSIENT_PRESETS,
  type RefusalPreset,
  type TransientPreset,
} from '../faults/refusal-presets.js';
import { JsonRpcCode } from '@forecourt/json-rpc';

/** An invalid request to the control interface; the message names the field. */
export class InvalidControlRequest extends Error {
  override readonly name = 'InvalidControlRequest';
}

export interface FaultRequest {
  readonly fault: Fault;
  readonly times: number | null;
  readonly forMs: number | null;
}

type Body = Readonly<Record<string, unknown>>;

const TRANSIENT_TIMES = { before: true, after: true, later: true, never: true };
type TransientTime = keyof typeof TRANSIENT_TIMES;

const EXECUTE = 'iota_executeTransactionBlock';

/** Reads the body of `POST /faults`. Throws `InvalidControlRequest`. */
export function readFault(body: unknown): FaultRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidControlRequest('the body must be a JSON object');
  }
  const fields = body as Body;
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
      const message = readText(body, 'message') ?? TRANSIENT_PRESETS[preset as TransientPreset];
      const when = readChoice(body, 'when', TRANSIENT_TIMES) ?? 'after';
      const afterMs = readInteger(body, 'afterMs', 0) ?? 0;
      return {
        kind: 'transient',
        method: onExecute,
        when: when as TransientTime,
        afterMs,
        message,
      };
    }
    case 'split': {
      const ms = readInteger(body, 'ms', 1);
      if (ms === undefined) throw new InvalidControlRequest('split needs "ms"');
      return { kind: 'split', method: EXECUTE, ms };
    }
    case 'loseReply':
      return { kind: 'loseReply', method: onExecute };
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
      return { kind: 'down', mode: mode as 'refuse' | 'reset' };
    }
    default:
      throw new InvalidControlRequest(
        '"kind" must be one of latency, refuse, transient, split, loseReply, lag, down',
      );
  }
}

function readRefusal(body: Body): { code: number; message: string } {
  const preset = readChoice(body, 'preset', REFUSAL_PRESETS);
  const chosen = preset === undefined ? undefined : REFUSAL_PRESETS[preset as RefusalPreset];
  const message = readText(body, 'message') ?? chosen?.message;
  if (message === undefined) {
    throw new InvalidControlRequest('refuse needs a "preset", or a "message" and a "code"');
  }
  const code = readInteger(body, 'code', -2_147_483_648) ?? chosen?.code;
  return { code: code ?? JsonRpcCode.transactionClientError, message };
}

function readWhen(body: Body, fallback: 'before' | 'after'): 'before' | 'after' {
  const when = readChoice(body, 'when', { before: true, after: true });
  return (when as 'before' | 'after' | undefined) ?? fallback;
}

function readChoice(body: Body, field: string, choices: object): string | undefined {
  const value = readText(body, field);
  if (value === undefined || Object.hasOwn(choices, value)) return value;
  throw new InvalidControlRequest(
    `"${field}" must be one of ${Object.keys(choices).join(', ')}, got "${value}"`,
  );
}

function readText(body: Body, field: string): string | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidControlRequest(`"${field}" must be a non-empty string`);
}

function readInteger(body: Body, field: string, min: number): number | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value;
  throw new InvalidControlRequest(`"${field}" must be an integer of at least ${min}`);
}
