import { parseObject } from './read-fields.js';
import { readRetryAfter } from '../calls/delays.js';
import { type LastAnswer, sendUntilAnswered } from '../calls/send-until-answered.js';
import { Unanswered } from '../calls/unanswered.js';
import type { GasStationConnection } from './gas-station-connection.js';
import { GasStationError } from './gas-station-error.js';

/**
 * A call that reserves coins may have reserved them although its answer was lost. They return at their
 * deadline, but until then each repetition keeps more of them from other callers.
 */
export const MAX_RESENDS_OF_RESERVATIONS = 2;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Time limit of this call, in ms; overrides that of the connection. */
  readonly timeoutMs?: number | undefined;
}

export interface GasStationCall<T> {
  readonly path: string;
  /** Sent as JSON; absent: the call is a GET. */
  readonly body?: object | undefined;
  /**
   * Maximum number of repetitions after a lost connection, if the call may have arrived. Absent: no limit.
   */
  readonly maxResends?: number | undefined;
  /** Reads the body of a success; throws if it cannot. */
  readonly read: (text: string) => T;
}

const ERROR_CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Throws `GasStationError` and the reason of the signal. */
export async function callGasStation<T>(
  connection: GasStationConnection,
  { path, body, maxResends, read }: GasStationCall<T>,
  options: CallOptions = {},
): Promise<T> {
  const url = `${connection.url}${path}`;
  const { signal, timeoutMs = connection.timeoutMs } = options;
  const json = body === undefined ? undefined : JSON.stringify(body);
  const answer = await sendUntilAnswered(
    connection.fetch,
    {
      url,
      method: json === undefined ? 'GET' : 'POST',
      headers: connection.headers,
      body: json,
    },
    {
      timeoutMs,
      maxResends,
      signal,
    },
  ).catch((cause: unknown) => {
    if (!(cause instanceof Unanswered)) throw cause;
    throw new GasStationError(cause.code, cause.message, { cause });
  });
  if (answer.status !== 200) throw readRefusal(url, answer);
  try {
    return read(answer.text);
  } catch (cause) {
    const message = `The answer of ${url} cannot be read: ${(cause as Error).message}`;
    throw new GasStationError('UNEXPECTED_ANSWER', message, { status: answer.status, cause });
  }
}

function readRefusal(url: string, answer: LastAnswer): GasStationError {
  const { status, headers, text, isRepeated } = answer;
  const code = headers.get('error-code') ?? '';
  const { error } = parseObject(text);
  return new GasStationError(
    ERROR_CODE.test(code) ? code : 'UNEXPECTED_ANSWER',
    typeof error === 'string' ? error : `${url} answered with status ${status}`,
    { status, retryAfterMs: readRetryAfter(headers), isRepeated },
  );
}
