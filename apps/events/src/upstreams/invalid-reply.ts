import { UpstreamFailed } from './upstream-failed.js';

/**
 * The response is not a JSON-RPC reply with a 2xx status; a balancer in front of the node may have sent it.
 */
export class InvalidReply extends UpstreamFailed {}
