import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';

/** A transaction that reads do not show. Its code depends on the node's version. */
export class TransactionNotFound extends JsonRpcError {
  constructor(digest: string) {
    super(
      JsonRpcCode.invalidParams,
      `Could not find the referenced transaction [TransactionDigest(${digest})].`,
    );
  }
}
