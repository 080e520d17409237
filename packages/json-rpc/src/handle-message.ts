import { type FairShares, groupsOf, type TurnShares } from '@forecourt/admission';
import { type CallContext, type CallMethod, ConnectionDropped, RawJson } from './call-context.js';
import type { CallOrigin } from './call-origin.js';
import { findExpense } from './check-structure.js';
import { ResponseCollector } from './response-collector.js';
import { JsonRpcCode, JsonRpcError } from './json-rpc-error.js';

export interface MessageOptions {
  /** Calls in one batch; larger batches are refused as a whole. */
  readonly maxBatch: number;
  /** All responses to one message together; calls beyond it get -32702. Absent: unbounded. */
  readonly maxResponseBytes?: number;
  /** Queued and running calls; a message beyond its client's share gets -32009. Absent: unbounded. */
  readonly pendingCalls?: FairShares | undefined;
  /** The calls of a batch start in turns with the work for other clients. Absent: all at once. */
  readonly turns?: TurnShares<unknown> | undefined;
  /** Called with an unexpected error; returns the incident id that the client is told. */
  readonly onInternalError?: (error: unknown, method: string) => string;
}

type Id = string | number | null;

const [OPENING, COMMA, CLOSING] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

/**
 * Handles one JSON-RPC 2.0 message, a single call or a batch. Resolves with the response as UTF-8, or null when there is none
 * (notifications only). Throws nothing but `ConnectionDropped`.
 */
export async function handleMessage(
  body: string,
  call: CallMethod,
  context: CallContext,
  options: MessageOptions,
): Promise<Buffer | null> {
  const expense = findExpense(body, options.maxBatch);
  if (expense !== null) return errorResponse(null, invalidRequest(expense));
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return errorResponse(
      null,
      new JsonRpcError(JsonRpcCode.parseError, 'Parse error: message is not valid JSON'),
    );
  }
  if (Array.isArray(message)) {
    if (message.length === 0) return errorResponse(null, invalidRequest('batch is empty'));
    if (message.length > options.maxBatch) {
      const reason = `batch of ${message.length} calls exceeds the limit of ${options.maxBatch}`;
      return errorResponse(null, invalidRequest(reason));
    }
  }
  const calls = Array.isArray(message) ? message : [message];
  const { origin } = context;
  const hold = options.pendingCalls?.take(groupsOf(origin.client), calls.length);
  if (hold === null) {
    context.onRefused?.();
    return errorResponse(idOf(message), tooManyCalls());
  }
  context.onCallCount?.(calls.length);
  const collector = new ResponseCollector(origin, options.maxResponseBytes ?? Infinity);
  try {
    const run = (one: unknown) => handleCall(one, call, context, options, collector);
    const inTurn = async (one: unknown) => {
      await options.turns?.take(origin.turnTaker);
      return spendTurn(options, origin, () => run(one));
    };
    const runOne = Array.isArray(message) ? inTurn : run;
    const responses = await Promise.all(calls.map((one) => origin.slots.run(() => runOne(one))));
    if (!Array.isArray(message)) return responses[0]!;
    const shown = responses.filter((response) => response !== null);
    return shown.length === 0 ? null : joinResponses(shown);
  } finally {
    collector.release();
    hold?.release();
  }
}

/** Counts what `start` does without a break as time of the client. */
export function spendTurn<T>(
  { turns }: Pick<MessageOptions, 'turns'>,
  { turnTaker }: Pick<CallOrigin, 'turnTaker'>,
  start: () => T,
): T {
  const startedAt = performance.now();
  const started = start();
  turns?.spend(turnTaker, performance.now() - startedAt);
  return started;
}

async function handleCall(
  message: unknown,
  call: CallMethod,
  context: CallContext,
  options: MessageOptions,
  collector: ResponseCollector,
): Promise<Buffer | null> {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return errorResponse(null, invalidRequest('call must be an object'));
  }
  const { jsonrpc, id: given, method, params } = message as Record<string, unknown>;
  const id = isId(given) ? given : null;
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
  const opening = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
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

function idOf(message: unknown): Id {
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
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error }));
}
