import { UnusableAnswer } from './unusable-answer.js';

/** What a hook decides, and its message for the user. */
export interface HookAnswer {
  readonly decision: 'allow' | 'deny' | 'noDecision';
  readonly userMessage: string | null;
}

const DECISIONS = ['allow', 'deny', 'noDecision'] as const;
const LONGEST_MESSAGE = 500;

/** Reads a hook's JSON. Throws `UnusableAnswer` when it holds no decision. */
export function readHookAnswer(text: string): HookAnswer {
  const body = parse(text) as { decision?: unknown; userMessage?: unknown } | null;
  const decision = DECISIONS.find((one) => one === body?.decision);
  if (!decision) throw new UnusableAnswer(`the decision must be one of ${DECISIONS.join(', ')}`);
  return { decision, userMessage: readMessage(body?.userMessage) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnusableAnswer('the answer is not JSON', { cause });
  }
}

function readMessage(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const clean = value
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, ' ')
    .trim();
  return clean === '' ? null : clean.slice(0, LONGEST_MESSAGE);
}
