import type { ListedRefusal, RefusedRequest } from '@forecourt/contracts';

/** Forms the refusal that an entry of the stream of refused requests describes. */
export function formRefusal(stored: RefusedRequest): ListedRefusal {
  const textOrNull = (text: string) => (text === '' ? null : text);
  return {
    at: Number(stored.at),
    route: stored.route,
    token: stored.token,
    user: textOrNull(stored.user),
    sender: textOrNull(stored.sender),
    status: Number(stored.status),
    code: stored.code,
    message: stored.message,
    rule: textOrNull(stored.rule),
    digest: textOrNull(stored.digest),
    reservation_id: stored.reservation === '' ? null : Number(stored.reservation),
    request_id: textOrNull(stored.request),
  };
}
