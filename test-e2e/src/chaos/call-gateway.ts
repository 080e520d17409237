import { setTimeout as delay } from 'node:timers/promises';
import { type Answer as HttpAnswer, call } from '../support/application.js';
import type { Answer } from './sponsored-call.js';

const CALL_MS = 20_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/** The gateways of the system, with the unexpected answers that clients got. */
export interface Gateways {
  readonly urls: readonly string[];
  readonly token: string;
  readonly surprises: string[];
}

/** Makes one HTTP call; null if the connection broke or no answer came in time. */
export async function tryCall(
  { urls, token }: Gateways,
  gateway: number,
  path: string,
  body: unknown,
  hangUp?: AbortSignal,
): Promise<HttpAnswer | null> {
  const inTime = AbortSignal.timeout(CALL_MS);
  const signal = hangUp ? AbortSignal.any([hangUp, inTime]) : inTime;
  const url = urls[gateway % urls.length]!;
  try {
    return await call({ url, token }, 'POST', path, body, {}, signal);
  } catch {
    return null;
  }
}

/**
 * Repeats a call, at each gateway in turn, until its answer is definite: a missing answer and a 503 are not.
 * Null when `givenUp` is aborted first.
 */
export async function callUntilDefinite(
  gateways: Gateways,
  first: number,
  path: string,
  body: unknown,
  givenUp: AbortSignal,
): Promise<HttpAnswer | null> {
  let pauseMs = FIRST_PAUSE_MS;
  for (let gateway = first; !givenUp.aborted; gateway++) {
    const answer = await tryCall(gateways, gateway, path, body, givenUp);
    if (answer?.status === 500) gateways.surprises.push(`${path} answered ${answer.body.error}`);
    if (answer && answer.status < 500) return answer;
    await delay(pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
  return null;
}

/** The definite part of an answer of execute. */
export function readAnswer({ status, body }: HttpAnswer): Answer {
  if (status === 200) return { kind: 'executed', effects: body.effects! };
  return { kind: 'refused', status, error: String(body.error) };
}
