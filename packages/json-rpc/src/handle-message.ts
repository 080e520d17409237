import { findExpense, groupsOf } from '@forecourt/admission';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import type { CallContext, CallMethod } from './call-method.js';
import { RawJson } from './raw-json.js';
import { ConnectionDropped } from './connection-dropped.js';
import type { CallOrigin } from './call-origin.js';
import type { ClientLimits } from './limits/client-limits.js';

export interface MessageOptions {
  /** Calls in one batch; larger batches are refused as a whole. */
  readonly maxBatch: number;
  /** All responses to one message together; calls beyond it get -32702. Absent: unbounded. */
  readonly maxResponseBytes?: number;
  /**
   * Bounds clients over all their connections: a message beyond its client's share of calls gets -32009, and
   * the calls of a batch start in turns with the work for other clients. Absent: each connection is bounded
   * on its own.
   */
  readonly clients?: ClientLimits;
  /** Called with an unexpected error; returns an incident id for the client. */
  readonly onInternalError?: (error: unknown, method: string) => string;
}

/** An id in JSON. */
type Id = string;

const NO_ID: Id = 'null';
/** A number as the value of `id`; in a text, the quotes would be escaped. */
const NUMBER_ID = /("id"\s*:\s*)(-?\d[\d.eE+-]*)(?=\s*[,}])/g;

const [OPENING, COMMA, CLOSING] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

/**
 * Handles one JSON-RPC 2.0 message, a single call or a batch. Resolves with the response as UTF-8, or null
 * when there is none (notifications only). Throws nothing but `ConnectionDropped`.
 */
export async function handleMessage(
  body: string,
  call: CallMethod,
  context: CallContext,
  options: MessageOptions,
): Promise<Buffer | null> {
  const expense = findExpense(body, options.maxBatch);
  if (expense !== null) return errorResponse(NO_ID, invalidRequest(expense));
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return errorResponse(
      NO_ID,
      new JsonRpcError(JsonRpcCode.parseError, 'Parse error: message is not valid JSON'),
    );
  }
  if (Array.isArray(message)) {
    if (message.length === 0) return errorResponse(NO_ID, invalidRequest('batch is empty'));
    if (message.length > options.maxBatch) {
      const reason = `batch of ${message.length} calls exceeds the limit of ${options.maxBatch}`;
      return errorResponse(NO_ID, invalidRequest(reason));
    }
  }
  const calls: readonly unknown[] = Array.isArray(message) ? message : [message];
  const ids = readIds(body, calls);
  const { origin } = context;
  const hold = options.clients?.pendingCalls.take(groupsOf(origin.client), calls.length);
  if (hold === null) {
    context.onRefused?.();
    return errorResponse(Array.isArray(message) ? NO_ID : ids[0]!, tooManyCalls());
  }
  context.onCallCount?.(calls.length);
  const collector = new ResponseCollector(origin, options.maxResponseBytes ?? Infinity);
  try {
    const run = (index: number) =>
      handleCall(calls[index], ids[index]!, call, context, options, collector);
    const inTurn = async (index: number) => {
      await options.clients?.turns.take(origin.turnTaker);
      return spendTurn(options.clients, origin, () => run(index));
    };
    const runOne = Array.isArray(message) ? inTurn : run;
    const responses = await Promise.all(
      calls.map((_, index) => origin.slots.run([], () => runOne(index))),
    );
    if (!Array.isArray(message)) return responses[0]!;
    const answers = responses.filter((response) => response !== null);
    return answers.length === 0 ? null : joinResponses(answers);
  } finally {
    collector.release();
    hold?.release();
  }
}

/** Counts the time that `start` takes before its first pause as time of the client. */
export function spendTurn<T>(
  clients: ClientLimits | undefined,
  { turnTaker }: Pick<CallOrigin, 'turnTaker'>,
  start: () => T,
): T {
  const startedAt = performance.now();
  const started = start();
  clients?.turns.spend(turnTaker, performance.now() - startedAt);
  return started;
}

async function handleCall(
  message: unknown,
  id: Id,
  call: CallMethod,
  context: CallContext,
  options: MessageOptions,
  collector: ResponseCollector,
): Promise<Buffer | null> {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return errorResponse(NO_ID, invalidRequest('call must be an object'));
  }
  const { jsonrpc, id: given, method, params } = message as Record<string, unknown>;
  const fault = findFault(jsonrpc, given, method, params);
  if (fault !== null) return errorResponse(id, invalidRequest(fault));
  if (context.origin.signal.aborted) throw new ConnectionDropped();
  const name = method as string;
  let response: Buffer;
  try {
    if (collector.isFull) throw collector.tooBig();
    const result = await call(name, params, context);
    response = resultResponse(id, result);
    if (!collector.add(response.length)) throw collector.tooBig();
  } catch (error) {
    if (error instanceof ConnectionDropped) throw error;
    response = errorResponse(id, asJsonRpcError(error, name, options));
  }
  return given === undefined ? null : response;
}

function resultResponse(id: Id, result: unknown): Buffer {
  const opening = `{"jsonrpc":"2.0","id":${id},"result":`;
  if (!(result instanceof RawJson)) {
    return Buffer.from(`${opening}${JSON.stringify(result ?? null)}}`);
  }
  return Buffer.concat([opening, ...result.parts, '}'].map((part) => Buffer.from(part)));
}

/** Joins responses that are encoded already: encoding a large batch at once would delay all other clients. */
function joinResponses(responses: readonly Buffer[]): Buffer {
  const parts = responses.flatMap((response, index) => [index === 0 ? OPENING : COMMA, response]);
  return Buffer.concat([...parts, CLOSING]);
}

function findFault(jsonrpc: unknown, id: unknown, method: unknown, params: unknown) {
  if (jsonrpc !== '2.0') return 'jsonrpc must be "2.0"';
  if (typeof method !== 'string') return 'method must be a string';
  if (id !== undefined && id !== null && !isId(id)) return 'id must be a string, a number or null';
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return 'params must be an array or an object';
  }
  return null;
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** The id of each call, to the last digit. */
function readIds(body: string, calls: readonly unknown[]): readonly Id[] {
  const ids = calls.map(idOf);
  // `JSON.parse` may have rounded it, or have made it infinite.
  const isRounded = (id: unknown) => typeof id === 'number' && !Number.isSafeInteger(id);
  if (!ids.some(isRounded)) return ids.map((id) => JSON.stringify(id));
  const exact = JSON.parse(body.replace(NUMBER_ID, '$1"$2"')) as unknown;
  const texts = (Array.isArray(exact) ? (exact as unknown[]) : [exact]).map(idOf);
  return ids.map((id, index) => {
    const text = texts[index];
    return isRounded(id) && typeof text === 'string' ? text : JSON.stringify(id);
  });
}

function idOf(message: unknown): string | number | null {
  if (typeof message !== 'object' || message === null || !('id' in message)) return null;
  return isId(message.id) ? message.id : null;
}

function invalidRequest(reason: string): JsonRpcError {
  return new JsonRpcError(JsonRpcCode.invalidRequest, `Invalid request: ${reason}`);
}

function tooManyCalls(): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.tooManyRequests,
    'Too many requests: client has too many pending calls; wait for their responses',
  );
}

function asJsonRpcError(error: unknown, method: string, options: MessageOptions): JsonRpcError {
  if (error instanceof JsonRpcError) return error;
  const incident = options.onInternalError?.(error, method) ?? String((error as Error)?.message);
  return new JsonRpcError(JsonRpcCode.internal, `Internal error: ${incident}`);
}

function errorResponse(id: Id, { code, message, data }: JsonRpcError): Buffer {
  const error = { code, message, ...(data !== undefined && { data }) };
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`);
}

/** The responses to one message while they wait for the last of them. */
class ResponseCollector {
  #bytes = 0;
  readonly #releases: (() => void)[] = [];

  constructor(
    private readonly origin: CallOrigin,
    private readonly maxBytes: number,
  ) {}

  get isFull(): boolean {
    return this.#bytes >= this.maxBytes;
  }

  /** Counts a response of `bytes` bytes; returns false, counting nothing, when it does not fit. */
  add(bytes: number): boolean {
    if (this.#bytes + bytes > this.maxBytes) return false;
    this.#bytes += bytes;
    this.#releases.push(this.origin.responses.add(bytes));
    return true;
  }

  tooBig(): JsonRpcError {
    return new JsonRpcError(
      JsonRpcCode.responseTooBig,
      `Response is too big: the limit is ${this.maxBytes} bytes for all responses to one message; request less data at once`,
    );
  }

  release(): void {
    for (const release of this.#releases) release();
  }
}
