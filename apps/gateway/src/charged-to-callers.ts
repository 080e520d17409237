import { type ChargedBodies, findClient, groupsOf } from '@forecourt/admission';
import { ForecourtError, JsonRpcCode, rpcFailure } from '@forecourt/contracts';
import { RPC_PATH } from './events-proxy/forward-rpc.js';
import type { GatewayConfig } from './gateway-config.js';
import { answerError } from './http/answer-error.js';
import { callerIfAny, shareOf } from './access/request-caller.js';
import { UNREADABLE } from './http/fastify-options.js';

const RETRY_AFTER_SECS = 1;

/**
 * Bodies are charged to the token that a request came with, and to the client's address where none is needed.
 */
export function chargedToCallers({
  trustedProxies,
}: GatewayConfig): Omit<ChargedBodies, 'shares' | 'processor'> {
  return {
    clientOf(request) {
      const caller = callerIfAny(request);
      if (caller !== null) return shareOf(caller);
      return groupsOf(findClient(request.raw, (address) => trustedProxies.includes(address)));
    },
    refuse(reply, reason) {
      const overloaded = new ForecourtError('OVERLOADED');
      const isRpc = reply.request.routeOptions.url === RPC_PATH;
      if (reason === 'too much') {
        if (!isRpc) return answerError(reply, overloaded);
        const failure = rpcFailure(JsonRpcCode.tooManyRequests, overloaded.message);
        return reply.code(429).header('retry-after', RETRY_AFTER_SECS).send(failure);
      }
      const [status, error] = UNREADABLE.ERR_HTTP_REQUEST_TIMEOUT;
      const failure = rpcFailure(JsonRpcCode.invalidRequest, error);
      return reply.code(status).send(isRpc ? failure : { error });
    },
  };
}
