import { MESSAGE_VERSION, type MessageHeader } from '@forecourt/contracts';
import { logFields } from '@forecourt/runtime/service';
import { traceParent } from '@forecourt/runtime/tracing';

/** The header of a message that is sent for the current request. */
export function headerOfMessage(): MessageHeader {
  const requestId = logFields()['requestId'];
  const traceparent = traceParent();
  return {
    version: MESSAGE_VERSION,
    ...(requestId !== undefined && { requestId: String(requestId) }),
    ...(traceparent !== undefined && { traceparent }),
  };
}
