/** Names a message. */
export type MessagePattern = Readonly<{ cmd: string }>;

/** Sends messages to one server. */
export interface MessageClient {
  /** Resolves once messages can be sent. */
  connect(): Promise<unknown>;
  /** The reply to a message; rejects with the error that the server answers with. */
  request(pattern: MessagePattern, message: object): Promise<unknown>;
  close(): void;
}
