import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { callGateway } from './call-gateway.js';
import type { CallerInfo } from '../generated/gateway-types.js';

type Role = CallerInfo['roles'][number];

export const callerQuery = queryOptions({
  queryKey: ['caller'],
  queryFn: async ({ signal }) => (await callGateway('describeCaller', { signal })).result,
  staleTime: 60_000,
});

export interface Rights {
  /** May read what concerns the whole fleet. */
  readonly reads: boolean;
  /** May change the fleet. */
  readonly operates: boolean;
  /** May change its own webhooks. */
  readonly sponsors: boolean;
}

/** The caller of the session, and what its roles permit. */
export function useCaller(): CallerInfo & { readonly may: Rights } {
  const { data } = useSuspenseQuery(callerQuery);
  return { ...data, may: rightsOf(data.roles) };
}

function rightsOf(roles: readonly Role[]): Rights {
  const operates = roles.includes('operator');
  return {
    operates,
    reads: operates || roles.includes('auditor'),
    sponsors: roles.includes('sponsor'),
  };
}
