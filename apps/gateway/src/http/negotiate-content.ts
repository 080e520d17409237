import type { FastifyReply } from 'fastify';

/** Tells caches that the answer depends on this request header, besides those that it depends on already. */
export function varyBy(reply: FastifyReply, header: string): void {
  const vary = [reply.getHeader('vary'), header].filter((one) => one !== undefined);
  void reply.header('vary', vary.join(', '));
}

const JSON_RANGES = ['application/json', 'application/*', '*/*'];

/**
 * Whether an `Accept` header ranks one of these types above JSON (RFC 9110, 12.5.1); of equal ranks, the
 * first counts.
 */
export function prefersToJson(accept: string | undefined, types: readonly string[]): boolean {
  const ranges = (accept ?? '').split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((one) => one.startsWith('q='));
    return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  const known = ranges
    .filter(({ type, quality }) => quality > 0 && [...types, ...JSON_RANGES].includes(type))
    .sort((a, b) => b.quality - a.quality);
  return known[0] !== undefined && types.includes(known[0].type);
}
