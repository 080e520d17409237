import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';

/** A query exceeded the number of node calls that one message may cause. */
export class QueryTooExpensive extends JsonRpcError {
  constructor(message: string) {
    super(JsonRpcCode.callFailed, message);
  }
}
