import { JsonRpcError } from '@iota/iota-sdk/client';

/** A node responded with a JSON-RPC error. The SDK's own error lacks `data`. */
export class NodeRefusal extends JsonRpcError {
  constructor(
    message: string,
    code: number,
    /** The node's additional error data; undefined when there is none. */
    readonly data: unknown,
  ) {
    super(message, code);
  }
}
