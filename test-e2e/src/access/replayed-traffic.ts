import type { Application } from '../support/application.js';
import type { ReplayReport } from '@forecourt/contracts';

/** The answer of `POST /v1/access/replay`: an event stream, or an error. */
export interface Replayed {
  readonly status: number;
  readonly code: string | null;
  readonly error: string | null;
  /** By the name of the event; of several, the last. */
  readonly events: Readonly<Record<string, unknown>>;
}

/** The data of a complete stream of events. */
export function readEvents(text: string): Record<string, unknown> {
  const blocks = text.split('\n\n').filter((block) => block !== '');
  return Object.fromEntries(
    blocks.map((block) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return [event, JSON.parse(data) as unknown];
    }),
  );
}

/** Posts a replay; resolves once it has begun, or is refused. */
export function openReplay(
  application: Pick<Application, 'url' | 'token'>,
  body: object,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${application.url}/v1/access/replay`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${application.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

/** Posts a replay and reads its whole answer. */
export async function replay(...asked: Parameters<typeof openReplay>): Promise<Replayed> {
  const response = await openReplay(...asked);
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const { error = null } = isStream ? {} : (JSON.parse(text) as { error?: string });
  return {
    status: response.status,
    code: response.headers.get('error-code'),
    error,
    events: isStream ? readEvents(text) : {},
  };
}

/** Runs a replay and returns its report. Throws an error with the answer if that has no report. */
export async function reportOf(
  application: Pick<Application, 'url' | 'token'>,
  body: object,
): Promise<ReplayReport> {
  const answer = await replay(application, body);
  if (answer.events['result'] === undefined) throw new Error(JSON.stringify(answer));
  return answer.events['result'] as ReplayReport;
}
