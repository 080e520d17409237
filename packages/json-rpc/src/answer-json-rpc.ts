import type { CallOrigin } from './call-origin.js';
import { CollectedAnswers } from './collected-answers.js';
import { JsonRpcCode, JsonRpcError } from './json-rpc-error.js';
import type { ClientQuota } from './limits/client-quota.js';
import type { RpcConnection } from './sockets/rpc-connection.js';

/** What a call may know of its transport. One for each message: the calls of a batch share it. */
export interface CallContext {
  /** Absent over HTTP, where nothing can be pushed. */
  readonly connection?: RpcConnection;
  readonly origin: CallOrigin;
  /** Runs `next` once the reply to this call has been handed to the transport. */
  readonly afterReply: (next: () => void) => void;
  /** Told how many calls the message holds, before the first of them begins. */
  readonly onUnfolded?: (calls: number) => void;
  /** Told when the message is refused since its client has too much under way. */
  readonly onRefused?: () => void;
}

/** Calls one method by name; ends with its result or throws. */
export type CallMethod = (
  method: string,
  params: unknown,
  context: CallContext,
) => Promise<unknown>;

/** Tells the transport to break the connection instead of answering. */
export class ConnectionDropped extends Error {
  override readonly name = 'ConnectionDropped';
}

export interface AnswerOptions {
  /** Calls in one batch; larger batches are refused whole. */
  readonly maxBatch: number;
  /** The answers to one message together; calls beyond it get -32702. Absent: no bound. */
  readonly maxAnswerBytes?: number;
  /** Calls that wait or are worked on; a message beyond it gets -32009. Absent: no bound. */
  readonly pendingCalls?: ClientQuota;
  /** Told of what nobody foresaw; the text it returns names the incident to the client. */
  readonly onInternalError?: (error: unknown, method: string) => string;
}

type Id = string | number | null;

/**
 * Answers one message of JSON-RPC 2.0, single or batch. Null when nothing is to be answered (notifications only).
 * Throws only `ConnectionDropped`.
 */
export async function answerJsonRpc(
  body: string,
  call: CallMethod,
  context: CallContext,
  options: AnswerOptions,
): Promise<string | null> {
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return errorReply(null, new JsonRpcError(JsonRpcCode.parseError, 'Parse error: not JSON'));
  }
  if (Array.isArray(message)) {
    if (message.length === 0) return errorReply(null, invalidRequest('an empty batch'));
    if (message.length > options.maxBatch) {
      const reason = `a batch of ${message.length} calls; at most ${options.maxBatch} are served`;
      return errorReply(null, invalidRequest(reason));
    }
  }
  const calls = Array.isArray(message) ? message : [message];
  const leave = enter(options.pendingCalls, context, calls.length);
  if (leave === null) {
    context.onRefused?.();
    return errorReply(idOf(message), tooManyCalls());
  }
  context.onUnfolded?.(calls.length);
  const answers = new CollectedAnswers(context.origin, options.maxAnswerBytes ?? Infinity);
  try {
    const replies = await Promise.all(
      calls.map((one) =>
        context.origin.slots.run(() => answerOne(one, call, context, options, answers)),
      ),
    );
    if (!Array.isArray(message)) return replies[0]!;
    const shown = replies.filter((reply) => reply !== null);
    return shown.length === 0 ? null : `[${shown.join(',')}]`;
  } finally {
    answers.release();
    leave();
  }
}

function enter(quota: ClientQuota | undefined, { origin }: CallContext, calls: number) {
  return quota ? quota.take(origin.client, calls) : () => undefined;
}

async function answerOne(
  message: unknown,
  call: CallMethod,
  context: CallContext,
  options: AnswerOptions,
  answers: CollectedAnswers,
): Promise<string | null> {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return errorReply(null, invalidRequest('a call is an object'));
  }
  const { jsonrpc, id: given, method, params } = message as Record<string, unknown>;
  const id = isId(given) ? given : null;
  const fault = findFault(jsonrpc, given, method, params);
  if (fault !== null) return errorReply(id, invalidRequest(fault));
  if (context.origin.signal.aborted) throw new ConnectionDropped();
  const name = method as string;
  let reply: string;
  try {
    if (answers.isFull) throw answers.tooBig();
    const result = await call(name, params, context);
    reply = resultReply(id, result);
    if (!answers.add(reply)) throw answers.tooBig();
  } catch (error) {
    if (error instanceof ConnectionDropped) throw error;
    reply = errorReply(id, asJsonRpcError(error, name, options));
  }
  return given === undefined ? null : reply;
}

/** A result whose JSON is already written; it is passed on as it stands. */
export class WrittenJson {
  constructor(readonly text: string) {}
}

function resultReply(id: Id, result: unknown): string {
  const text = result instanceof WrittenJson ? result.text : JSON.stringify(result ?? null);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`;
}

function findFault(jsonrpc: unknown, id: unknown, method: unknown, params: unknown) {
  if (jsonrpc !== '2.0') return 'jsonrpc must be "2.0"';
  if (typeof method !== 'string') return 'method must be a string';
  if (id !== undefined && id !== null && !isId(id)) return 'id must be an integer or a string';
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return 'params must be an array';
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
    'Too many requests: too many calls of this client are under way; wait for their answers',
  );
}

function asJsonRpcError(error: unknown, method: string, options: AnswerOptions): JsonRpcError {
  if (error instanceof JsonRpcError) return error;
  const incident = options.onInternalError?.(error, method) ?? String((error as Error)?.message);
  return new JsonRpcError(JsonRpcCode.internal, `Internal error: ${incident}`);
}

function errorReply(id: Id, { code, message, data }: JsonRpcError): string {
  const error = { code, message, ...(data !== undefined && { data }) };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}
