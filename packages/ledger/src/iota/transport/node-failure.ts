import type { Dispatcher } from 'undici';
import { readRetryAfter } from '@forecourt/resilience';
import { LedgerUnreachable } from '../../ledger-unreachable.js';
import type { NodeRefusal } from './node-refusal.js';

type ResponseHead = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>;

interface NodeFailureDetails {
  /** Whether the node may still have processed the call. */
  readonly mayBeProcessed: boolean;
  /** The node limits calls: retry after this many milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The beginning of an HTTP response, where there was one. */
  readonly response?: ResponseHead | undefined;
  /** Whether the node is on another network than required. */
  readonly isForeign?: boolean;
  /** Whether the node does not even name its network: it serves no call at all. */
  readonly isUnidentified?: boolean;
  /** See `LedgerUnreachable`. */
  readonly isInvalid?: boolean;
  readonly cause?: unknown;
}

/**
 * A node did not respond to a call, or its response cannot be used. With an HTTP status other than success,
 * `cause` is the JSON-RPC error of the response, where it has one.
 */
export class NodeFailure extends LedgerUnreachable {
  readonly mayBeProcessed: boolean;
  readonly retryAfterMs: number | undefined;
  readonly response: ResponseHead | undefined;
  readonly isForeign: boolean;
  readonly isUnidentified: boolean;
  readonly #isInvalid: boolean;

  constructor(message: string, details: NodeFailureDetails) {
    super(message, { cause: details.cause });
    this.mayBeProcessed = details.mayBeProcessed;
    this.retryAfterMs = details.retryAfterMs;
    this.response = details.response;
    this.isForeign = details.isForeign ?? false;
    this.isUnidentified = details.isUnidentified ?? false;
    this.#isInvalid = details.isInvalid ?? false;
  }

  override get isInvalid(): boolean {
    return this.#isInvalid;
  }

  /** HTTP status of the response; undefined: there was none. */
  get status(): number | undefined {
    return this.response?.statusCode;
  }
}

/** How long a node that does not say is not called, and the longest time that it can ask for. */
const USUAL_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Only a rate limit guarantees that the call was not processed. */
export function limited(reason: string, response: ResponseHead): NodeFailure {
  const askedMs = readRetryAfter(response.headers['retry-after']);
  const retryAfterMs = Math.min(askedMs ?? USUAL_PAUSE_MS, LONGEST_PAUSE_MS);
  const message = `rate limit (${reason}), retry in ${retryAfterMs} ms`;
  return new NodeFailure(message, { mayBeProcessed: false, retryAfterMs, response });
}

/** The status may come from a proxy that has passed the call on. */
export function failedStatus(response: ResponseHead, cause: NodeRefusal | undefined): NodeFailure {
  const { statusCode } = response;
  const isRefused = statusCode === 401 || statusCode === 403;
  const advice = isRefused ? ': the node may need headers (LEDGER_HEADERS)' : '';
  const message = `HTTP status ${statusCode}${advice}`;
  return new NodeFailure(message, { mayBeProcessed: true, response, cause });
}

/** The text of an error that a call failed with. */
export function textOfCause(cause: unknown): string {
  const { message, code, name } = cause as { message?: string; code?: string; name?: string };
  // An AggregateError (one failure per address of a host) has no text.
  return message || (code ?? name ?? String(cause));
}
