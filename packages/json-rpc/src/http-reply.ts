import type { Readable } from 'node:stream';
import { ConnectionDropped } from './connection-dropped.js';

/**
 * Tells the transport to send this over HTTP instead of a response, as a proxy in front of a server would.
 */
export class HttpReply extends ConnectionDropped {
  constructor(
    readonly status: number,
    readonly contentType: string,
    /** A stream may have no end. */
    readonly body: string | Readable,
  ) {
    super();
  }
}
