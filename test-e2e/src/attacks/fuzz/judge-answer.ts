import type { RawAnswer } from './http-exchange.js';
import { judge } from './judge.js';

/** Expected statuses for a caller with a token; 500 and similar ones are not among them. */
const STATUSES = [200, 400, 403, 429, 503];
const ASKS_TO_WAIT = [429, 503];
const JUDGED_LINES = 5;

/** The fault of an answer of reserve or execute; null: none. */
export function judgeAnswer(answer: RawAnswer): string | null {
  const { status, headers, body } = answer;
  if (!STATUSES.includes(status)) return `status ${status}`;
  if (!ASKS_TO_WAIT.includes(status)) return judge(withFewLines(answer), 'POST');
  if (headers['retry-after'] === undefined) return `${status} without Retry-After`;
  const { error } = JSON.parse(body) as { error?: unknown };
  return typeof error === 'string' && error.length > 5 ? null : `${status} without an error`;
}

/** A node names every faulty input, so the caller's own transaction determines their number. */
function withFewLines(answer: RawAnswer): RawAnswer {
  if (answer.status !== 400) return answer;
  const { error, ...others } = JSON.parse(answer.body) as { error: unknown };
  if (typeof error !== 'string') return answer;
  const few = error.split('\n').slice(0, JUDGED_LINES).join('\n');
  return { ...answer, body: JSON.stringify({ error: few, ...others }) };
}
