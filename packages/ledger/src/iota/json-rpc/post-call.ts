import { type Dispatcher, request } from 'undici';
import { NodeRefusal } from '../transport/node-refusal.js';
import { textOfCause, failedStatus, limited, NodeFailure } from '../transport/node-failure.js';
import { answerBound } from './answer-bounds.js';

/** A JSON-RPC method and its parameters. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly signal?: AbortSignal | undefined;
}

interface PostOptions {
  readonly url: string | URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Default: that of the process. */
  readonly dispatcher?: Dispatcher;
  readonly timeoutMs: number;
  /**
   * Called with the size of each part of the answer, before it is kept; what it throws is the `cause` of the
   * failure.
   */
  readonly onBytes?: (bytes: number) => void;
}

/** Some nodes report a rate limit as a JSON-RPC error with HTTP status 200. */
const RATE_LIMITED = -32009;
const TOO_MANY_REQUESTS = 429;
/** Failures that occur before the request is sent. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

type Response = Dispatcher.ResponseData;

/**
 * Posts one call and returns its result. Rejects with `NodeRefusal` for a JSON-RPC error, and with
 * `NodeFailure` for every other failure, including a response that takes longer than `timeoutMs` or is larger
 * than `answerBound`. Does not follow redirects: they could send the headers, which hold keys, to another
 * host.
 */
export async function postCall(options: PostOptions, call: RpcCall, id: number): Promise<unknown> {
  const { signal } = call;
  // Not AbortSignal.any(): composites accumulate on a signal that lives as long as a connection.
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(outOfTime()), options.timeoutMs);
  const onAbort = () => abort.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  try {
    return await read(await send(options, call, id, abort.signal), call, options);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function outOfTime(): DOMException {
  return new DOMException('The operation was aborted due to timeout', 'TimeoutError');
}

async function send(
  { url, headers, dispatcher }: PostOptions,
  { method, params }: RpcCall,
  id: number,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await request(url, {
      ...(dispatcher && { dispatcher }),
      method: 'POST',
      signal,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
  } catch (cause) {
    const { code } = cause as { code?: string };
    throw new NodeFailure(textOfCause(cause), {
      mayBeProcessed: code === undefined || !NOT_SENT.has(code),
      cause,
    });
  }
}

async function read(response: Response, call: RpcCall, options: PostOptions): Promise<unknown> {
  const { statusCode } = response;
  if (statusCode === TOO_MANY_REQUESTS) {
    // An unread body keeps its connection busy.
    await response.body.dump().catch(() => undefined);
    throw limited('HTTP 429', response);
  }
  const result = readText(response, call, options).then((text) => readResult(text, response));
  if (statusCode >= 200 && statusCode <= 299) return result;
  const cause: unknown = await result.catch((error: unknown) => error);
  throw failedStatus(response, cause instanceof NodeRefusal ? cause : undefined);
}

/** Closes the connection where the answer is too large. */
async function readText(
  response: Response,
  call: RpcCall,
  { onBytes }: PostOptions,
): Promise<string> {
  const most = answerBound(call.method, call.params);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      onBytes?.(chunk.length);
      if (bytes > most) {
        const message = `${call.method}: the answer exceeds ${most} bytes`;
        throw new NodeFailure(message, { mayBeProcessed: true, isInvalid: true, response });
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch (cause) {
    if (cause instanceof NodeFailure) throw cause;
    throw new NodeFailure(textOfCause(cause), { mayBeProcessed: true, cause });
  }
}

function readResult(text: string, response: Response): unknown {
  const { result, error } = (parseReply(text, response) ?? {}) as {
    result?: unknown;
    error?: { message?: unknown; code?: unknown; data?: unknown } | null;
  };
  if (error != null) {
    const code = Number(error.code);
    const message = String(error.message);
    if (code === RATE_LIMITED) throw limited(message, response);
    throw new NodeRefusal(message, code, error.data);
  }
  if (result !== undefined) return result;
  const message = 'response is not JSON-RPC: neither result nor error';
  throw new NodeFailure(message, { mayBeProcessed: true, isInvalid: true, response });
}

function parseReply(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const kind = response.headers['content-type'] ?? 'no content type';
    const message = `response is not JSON (${String(kind)})`;
    throw new NodeFailure(message, { mayBeProcessed: true, isInvalid: true, response, cause });
  }
}
