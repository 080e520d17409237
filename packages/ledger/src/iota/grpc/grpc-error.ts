/** A call that did not end with the status OK. */
export class GrpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    /** An encoded `google.rpc.Status`, where the node sent one. */
    readonly details: Uint8Array | null = null,
    /** False: the node stated that it did not begin the call. */
    readonly mayBeProcessed = true,
  ) {
    super(message);
  }
}
