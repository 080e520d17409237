/** Maximum number of transactions or events in one call to a node. */
export const NODE_PAGE = 50;

export function splitIntoPages<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / NODE_PAGE) }, (_, page) =>
    items.slice(page * NODE_PAGE, (page + 1) * NODE_PAGE),
  );
}
