/** A ledger node did not respond, or not as expected. */
export class UpstreamFailed extends Error {
  override readonly name = 'UpstreamFailed';
}
