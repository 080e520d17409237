/** The operator's configuration forbids to connect to a receiver. */
export class ReceiverForbidden extends Error {
  override readonly name = 'ReceiverForbidden';
}
