import { fastify, type FastifyInstance, type FastifyReply } from 'fastify';
import { clientOf } from './client-of.js';
import { callGasStation, type GasStationAddress, type GasStationAnswer } from './gas-station.js';
import { IssuedTransactions } from './issued-transactions.js';
import { isSponsoredCall } from './sponsored-call.js';
import { LimitReached, type Limits, USUAL_LIMITS, VisitorLimits } from './visitor-limits.js';

export interface BackendOptions extends GasStationAddress {
  readonly limits?: Limits;
}

interface BuildBody {
  readonly sender: string;
  readonly kind_bytes: string;
}

interface ExecuteBody {
  readonly reservation_id: number;
  readonly tx_bytes: string;
  readonly user_sig: string;
}

/** The most that the sponsor pays for one transaction, in the ledger's smallest unit. */
const GAS_BUDGET = 10_000_000;
/** Use more for a user who has to confirm in a wallet. */
const DURATION_SECS = 60;

const text = { type: 'string', maxLength: 8_192 };
const BUILD_BODY = {
  type: 'object',
  required: ['sender', 'kind_bytes'],
  // Full form only, so that each address is counted once.
  properties: { sender: { type: 'string', pattern: '^0x[0-9a-f]{64}$' }, kind_bytes: text },
};
const EXECUTE_BODY = {
  type: 'object',
  required: ['reservation_id', 'tx_bytes', 'user_sig'],
  properties: { reservation_id: { type: 'integer' }, tx_bytes: text, user_sig: text },
};

/**
 * The two routes that `GasStation.sponsor` needs in a page, for the transactions that this application
 * offers. Of a visitor's request, only the fields named here reach the gas station.
 */
export function createBackend({
  limits = USUAL_LIMITS,
  ...gasStation
}: BackendOptions): FastifyInstance {
  const visitors = new VisitorLimits(limits);
  const issued = new IssuedTransactions(limits.inAll);
  // Only the nearest proxy is trusted for the visitor's address.
  const server = fastify({ trustProxy: (_proxy, hop) => hop === 0, bodyLimit: 32 * 1_024 });

  server.post<{ Body: BuildBody }>(
    '/gas/v1/build_tx',
    { schema: { body: BUILD_BODY } },
    async ({ ip, body: { sender, kind_bytes } }, reply) => {
      if (!isSponsoredCall(kind_bytes)) {
        return refuse(reply, 403, 'NOT_SPONSORED', 'Only calls of build_car are sponsored here');
      }
      const takeBack = visitors.count({ address: sender, client: clientOf(ip) });
      const answer = await callGasStation(gasStation, '/v1/build_tx', {
        sender,
        kind_bytes,
        gas_budget: GAS_BUDGET,
        reserve_duration_secs: DURATION_SECS,
      });
      if (answer.status === 200) {
        const { result } = JSON.parse(answer.text) as { result: ExecuteBody };
        issued.add(result.reservation_id, result.tx_bytes);
      }
      // The gas station had no time or no coins, which is not the visitor's fault.
      if (answer.status === 429 || answer.status === 503) takeBack();
      return passOn(reply, answer);
    },
  );

  server.post<{ Body: ExecuteBody }>(
    '/gas/v1/execute_tx',
    { schema: { body: EXECUTE_BODY } },
    async ({ body: { reservation_id, tx_bytes, user_sig } }, reply) => {
      if (!issued.takeAttempt(reservation_id, tx_bytes)) {
        const message = 'Not built here, or tried too often: build the transaction again';
        return refuse(reply, 403, 'NOT_BUILT_HERE', message);
      }
      const body = { reservation_id, tx_bytes, user_sig };
      return passOn(reply, await callGasStation(gasStation, '/v1/execute_tx', body));
    },
  );

  server.setErrorHandler((error: Error & { readonly statusCode?: number }, _request, reply) => {
    if (error instanceof LimitReached) {
      void reply.header('retry-after', error.retryAfterSecs);
      return refuse(reply, 429, 'VISITOR_LIMIT', error.message);
    }
    const { statusCode = 500, message } = error;
    if (statusCode < 500) return refuse(reply, statusCode, 'INVALID_REQUEST', message);
    process.stderr.write(`${error.stack}\n`);
    return refuse(reply, 500, 'INTERNAL', 'The backend failed');
  });
  return server;
}

/** In the form that `@forecourt/client` reads: `code` and `message` of its `GasStationError`. */
function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply.code(status).header('error-code', code).send({ error: message });
}

function passOn(reply: FastifyReply, { status, headers, text }: GasStationAnswer): FastifyReply {
  return reply.code(status).headers(headers).send(text);
}
