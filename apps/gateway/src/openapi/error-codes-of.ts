import type { ErrorCode } from '@forecourt/contracts';
import { REFUSAL_CODES, type RouteDeclaration } from '../authorization/route-declaration.js';

/** How a route can fail: what it declares, and what follows from its role, its admission class and its body. */
export function errorCodesOf(
  { access, admission, errorCodes = [] }: RouteDeclaration,
  readsBody: boolean,
): readonly ErrorCode[] {
  const codes: ErrorCode[] = [...errorCodes];
  if (readsBody) codes.push('INVALID_REQUEST', 'PAYLOAD_TOO_LARGE');
  if (admission !== undefined) codes.push('OVERLOADED');
  if (typeof access === 'object') {
    codes.push(REFUSAL_CODES[access.role]);
    codes.push('FORBIDDEN', 'RATE_LIMITED', 'STORE_UNREACHABLE', 'COIN_POOL_OUTDATED');
    codes.push('SHUTTING_DOWN', 'INTERNAL');
  }
  // A route may also declare a code that follows from the rest.
  return [...new Set(codes)];
}
