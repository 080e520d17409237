import { EventSourceParserStream } from 'eventsource-parser/stream';
import { openReplay } from './call-gateway.js';
import { GatewayError, NO_ANSWER } from './gateway-error.js';
import type {
  ReplayAccessRequest,
  ReplayFailure,
  ReplayProgress,
  ReplayReport,
} from './gateway-types.js';

/** Has a gateway decide about past traffic by proposed rules. The gateway stops when `signal` aborts. Throws `GatewayError`. */
export async function replayRules(
  request: ReplayAccessRequest,
  signal: AbortSignal,
  onProgress: (progress: ReplayProgress) => void,
): Promise<ReplayReport> {
  const body = await openReplay(request, signal);
  const events = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for (const reader = events.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) throw new GatewayError(NO_ANSWER, 'The replay has ended early', 0, null, null);
    const data: unknown = JSON.parse(value.data);
    if (value.event === 'progress') onProgress(data as ReplayProgress);
    if (value.event === 'result') return data as ReplayReport;
    if (value.event === 'error') {
      const { code, error } = data as ReplayFailure;
      throw new GatewayError(code, error, 0, null, null);
    }
  }
}
