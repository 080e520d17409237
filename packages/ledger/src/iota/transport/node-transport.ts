import { JsonRpcError } from '@iota/iota-sdk/client';
import { readRetryAfter } from '@forecourt/resilience';
import { Client, type Dispatcher, request } from 'undici';
import type { ExpectedPayment } from '../../decoded-transaction.js';
import { LedgerUnreachable } from '../../ledger-errors.js';

/** The method that names a node's network. */
export const IDENTIFY = 'iota_getChainIdentifier';

/** A JSON-RPC method and its parameters. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Of the transaction that is looked up. */
  readonly payment?: ExpectedPayment | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Of a read of objects: versions that the caller knows of some of them, by id. A dialect that does not tell a deleted
   * object from one that never existed finds out by them.
   */
  readonly knownVersions?: ReadonlyMap<string, number> | undefined;
}

/** Carries out calls at one node, or at any of several. */
export interface CallSender {
  /** Rejects with `NodeRefusal` when the node answers with an error, and with `NodeFailure` for every other failure. */
  send(call: RpcCall): Promise<unknown>;
}

/** Carries calls to a node over one connection, which it opens when a call needs it. */
export interface NodeTransport {
  /**
   * Returns the result of a call. Rejects with `NodeRefusal` when the node answers with an error, and with
   * `NodeFailure` for every other failure.
   */
  call(call: RpcCall, timeoutMs: number): Promise<unknown>;
  /** Whether it carries several calls at once. */
  readonly isShared: boolean;
  close(): void;
}

export interface TransportEvents {
  readonly onConnect: () => void;
  readonly onDisconnect: () => void;
}

export interface TransportOptions {
  readonly url: string;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Time limit of one call, in milliseconds. */
  readonly timeoutMs: number;
}

/** A node responded with a JSON-RPC error. The SDK's own error lacks `data`. */
export class NodeRefusal extends JsonRpcError {
  constructor(
    message: string,
    code: number,
    /** The node's additional error data; undefined when there is none. */
    readonly data: unknown,
  ) {
    super(message, code);
  }
}

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
 * A node did not respond to a call, or its response cannot be used. With an HTTP status other than success, `cause` is
 * the JSON-RPC error of the response, where it has one.
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

/**
 * The largest answers that nodes give: a transaction with the 64 MB of events that the ledger allows, a page of checkpoints
 * of 10 000 transactions each.
 */
const LARGE = 64 * 2 ** 20;
/** The largest others: effects of 512 KiB in binary form, a state with all validators, one checkpoint. */
const USUAL = 8 * 2 ** 20;

const LARGE_METHODS: ReadonlySet<string> = new Set([
  'iota_dryRunTransactionBlock',
  'iota_getCheckpoints',
  'iota_getEvents',
  'iotax_queryEvents',
  'iotax_queryTransactionBlocks',
]);
/** Large with more parts than the effects. */
const PARTED_METHODS: ReadonlySet<string> = new Set([
  'iota_getTransactionBlock',
  'iota_multiGetTransactionBlocks',
]);

/** The most bytes that an answer to this call may have. */
function answerBound({ method, params }: Pick<RpcCall, 'method' | 'params'>): number {
  if (LARGE_METHODS.has(method)) return LARGE;
  if (!PARTED_METHODS.has(method)) return USUAL;
  const parts = Object.keys(Object(params[1]) as object);
  return parts.every((part) => part === 'showEffects') ? USUAL : LARGE;
}

/** Of all messages of an answer over gRPC: the largest one that nodes send. */
export const MOST_GRPC_BYTES = 128 * 2 ** 20;
/** Of a checkpoint with all its transactions; the ledger allows 30 MiB without their events and objects. */
export const MOST_CHECKPOINT_BYTES = 256 * 2 ** 20;

const CONNECT_MS = 5_000;

/** JSON-RPC over HTTP. */
export class JsonRpcTransport implements NodeTransport {
  readonly isShared = false;
  readonly #client: Client;
  #nextId = 1;

  constructor(
    private readonly options: TransportOptions,
    { onConnect, onDisconnect }: TransportEvents,
  ) {
    const { url, timeoutMs } = options;
    this.#client = new Client(new URL(url).origin, {
      connect: { timeout: Math.min(timeoutMs, CONNECT_MS) },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    this.#client.on('connect', onConnect).on('disconnect', onDisconnect);
  }

  call(call: RpcCall, timeoutMs: number): Promise<unknown> {
    const { url, headers = {} } = this.options;
    return postCall({ url, headers, dispatcher: this.#client, timeoutMs }, call, this.#nextId++);
  }

  close(): void {
    void this.#client.close();
  }
}

interface PostOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Default: that of the process. */
  readonly dispatcher?: Dispatcher;
  readonly timeoutMs: number;
  /** Called with the size of each part of the answer, before it is kept; what it throws is the `cause` of the failure. */
  readonly onBytes?: (bytes: number) => void;
}

/** How long a node that does not say is not called, and the longest time that it can ask for. */
const USUAL_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

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
 * `NodeFailure` for every other failure, including a response that takes longer than `timeoutMs`
 * or is larger than `answerBound`. Does not follow redirects: they could send the headers, which hold keys, to another
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
    throw new NodeFailure(describe(cause), {
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

/** Only a rate limit guarantees that the call was not processed. */
function limited(reason: string, response: Response): NodeFailure {
  const askedMs = readRetryAfter(response.headers['retry-after']);
  const retryAfterMs = Math.min(askedMs ?? USUAL_PAUSE_MS, LONGEST_PAUSE_MS);
  const message = `rate limit (${reason}), retry in ${retryAfterMs} ms`;
  return new NodeFailure(message, { mayBeProcessed: false, retryAfterMs, response });
}

/** The status may come from a proxy that has passed the call on. */
function failedStatus(response: Response, cause: NodeRefusal | undefined): NodeFailure {
  const { statusCode } = response;
  const isRefused = statusCode === 401 || statusCode === 403;
  const advice = isRefused ? ': the node may need headers (LEDGER_HEADERS)' : '';
  const message = `HTTP status ${statusCode}${advice}`;
  return new NodeFailure(message, { mayBeProcessed: true, response, cause });
}

/** Closes the connection where the answer is too large. */
async function readText(
  response: Response,
  call: RpcCall,
  { onBytes }: PostOptions,
): Promise<string> {
  const most = answerBound(call);
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
    throw new NodeFailure(describe(cause), { mayBeProcessed: true, cause });
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

function describe(cause: unknown): string {
  const { message, code, name } = cause as { message?: string; code?: string; name?: string };
  // An AggregateError (one failure per address of a host) has no text.
  return message || (code ?? name ?? String(cause));
}
