import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import { Failure, Loading } from './states.js';
import { type Column, VirtualRows } from './virtual-rows.js';

const same = <T,>(rows: readonly T[]) => rows;

interface PageOf<T> {
  readonly data: readonly T[];
}

/** A list of any length: pages are loaded as it is scrolled. */
export function PagedRows<T, P extends PageOf<T>>({
  query,
  label,
  columns,
  keyOf,
  template,
  empty,
  follow = same,
  above,
  total = '',
}: {
  readonly query: UseInfiniteQueryResult<InfiniteData<P>>;
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T, index: number) => string;
  readonly template: string;
  /** Shown instead if there is nothing. */
  readonly empty: ReactNode;
  /** The rows as they are now. */
  readonly follow?: (rows: readonly T[]) => readonly T[];
  /** Stands above the rows. */
  readonly above?: ReactNode;
  /** Says how many rows there are in all, loaded or not. */
  readonly total?: string;
}) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const rows = useMemo(
    () => follow(data?.pages.flatMap((page) => page.data) ?? []),
    [data, follow],
  );
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  if (data === undefined) {
    return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading lines={8} />;
  }
  if (rows.length === 0 && !hasNextPage) {
    return (
      <>
        {above}
        {empty}
      </>
    );
  }
  return (
    <>
      {above}
      <VirtualRows
        label={label}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        template={template}
        hasMore={hasNextPage && error === null}
        onMore={more}
      />
      <div
        role="status"
        className="flex justify-between gap-4 border-t border-line px-4 py-2 text-xs text-soft"
      >
        <span>
          {rows.length} loaded{hasNextPage ? ', more below' : ''}
        </span>
        <span>{total}</span>
      </div>
      {error && <Failure error={error} onRetry={() => void fetchNextPage()} />}
    </>
  );
}
