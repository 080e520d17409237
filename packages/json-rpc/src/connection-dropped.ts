/** Tells the transport to drop the connection instead of responding. */
export class ConnectionDropped extends Error {
  override readonly name = 'ConnectionDropped';
}
