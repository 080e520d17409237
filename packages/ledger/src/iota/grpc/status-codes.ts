import { constants, type IncomingHttpHeaders } from 'node:http2';

/** The statuses of gRPC. */
export const status = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

const NAMES = new Map<number, string>(Object.entries(status).map(([name, code]) => [code, name]));

/** The name of a status; its number where gRPC does not define it. */
export function nameOfStatus(code: number): string {
  return NAMES.get(code) ?? String(code);
}

/** A call that did not end with the status OK. */
export class GrpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    /** An encoded `google.rpc.Status`, where the node sent one. */
    readonly details: Uint8Array | null = null,
    /** False: the node stated that it did not begin the call. */
    readonly mayBeProcessed = true,
  ) {
    super(message);
  }
}

/** By the rules of gRPC for an answer of a proxy. */
const OF_HTTP: Readonly<Record<number, number>> = {
  400: status.INTERNAL,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.UNIMPLEMENTED,
  429: status.UNAVAILABLE,
  502: status.UNAVAILABLE,
  503: status.UNAVAILABLE,
  504: status.UNAVAILABLE,
};
const OF_RESET: Readonly<Record<number, number>> = {
  [constants.NGHTTP2_REFUSED_STREAM]: status.UNAVAILABLE,
  [constants.NGHTTP2_CANCEL]: status.CANCELLED,
  [constants.NGHTTP2_ENHANCE_YOUR_CALM]: status.RESOURCE_EXHAUSTED,
  [constants.NGHTTP2_INADEQUATE_SECURITY]: status.PERMISSION_DENIED,
};

/**
 * The error in the headers or trailers at the end of a call, null for the status OK, undefined where they hold no
 * status.
 */
export function readStatus(headers: IncomingHttpHeaders): GrpcError | null | undefined {
  const text = headers['grpc-status'];
  if (text === undefined) return undefined;
  const code = Number(text);
  if (code === status.OK) return null;
  const [bytes] = String(headers['grpc-status-details-bin'] ?? '').split(',');
  return new GrpcError(
    Number.isInteger(code) ? code : status.UNKNOWN,
    decodePercents(String(headers['grpc-message'] ?? '')),
    bytes ? Buffer.from(bytes, 'base64') : null,
  );
}

/** The error of an answer that does not come from a node; null where headers are those of gRPC. */
export function readHttpError(headers: IncomingHttpHeaders): GrpcError | null {
  const http = Number(headers[':status']);
  const type = headers['content-type'] ?? 'no content type';
  if (http === constants.HTTP_STATUS_OK && type.startsWith('application/grpc')) return null;
  const code = OF_HTTP[http] ?? status.UNKNOWN;
  return new GrpcError(code, `HTTP status ${http}, ${type}, is not an answer of gRPC`);
}

/** The error of a stream that ended without a status, by the code of its reset. */
export function errorOfReset(code: number): GrpcError {
  if (code === constants.NGHTTP2_NO_ERROR) {
    return new GrpcError(status.UNAVAILABLE, 'the call ended without a status');
  }
  // HTTP/2 promises that a refused stream has not been processed; so are those beyond the last one of a `GOAWAY`.
  const mayBeProcessed = code !== constants.NGHTTP2_REFUSED_STREAM;
  const message = `the node reset the call, code ${code}`;
  return new GrpcError(OF_RESET[code] ?? status.INTERNAL, message, null, mayBeProcessed);
}

/** Text that is not encoded stays as it is. */
function decodePercents(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
