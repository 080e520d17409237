import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import { UnsupportedByUpstream } from './unsupported-by-upstream.js';

/** -32000: a node responds, but lacks what the query needs, and no other node answers. */
export class QueryUnanswerable extends JsonRpcError {
  /** `isCertain`: every node has responded; otherwise one that is unavailable may have it. */
  constructor(
    readonly lack: UnsupportedByUpstream,
    readonly isCertain: boolean,
  ) {
    super(JsonRpcCode.callFailed, lack.message, lack.data, { cause: lack });
  }
}
