import { type BodyRefusal, type ChargedBodies, findClient, groupsOf } from '@forecourt/admission';

const REFUSALS: Readonly<Record<BodyRefusal, readonly [status: number, error: string]>> = {
  'too much': [503, 'Too many request bodies in progress; try again shortly'],
  'too slow': [408, 'Request timed out before it was complete'],
};

/** Bodies are charged to the addresses that connections come from. */
export const chargedToAddresses: Omit<ChargedBodies, 'shares' | 'processor'> = {
  clientOf: ({ raw }) => groupsOf(findClient(raw, () => false)),
  refuse(reply, reason) {
    const [status, error] = REFUSALS[reason];
    return reply.code(status).header('retry-after', 1).send({ error });
  },
};
