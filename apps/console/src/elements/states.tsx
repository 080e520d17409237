import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { explainError } from '../api/explain-error.js';
import { GatewayError } from '../api/gateway-error.js';
import { Button } from './button.js';

/** Nothing to show, and why. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-1 px-6 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="max-w-md text-soft">{children}</div>}
    </div>
  );
}

/** Keeps the place of lines that are on their way. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-3 p-4">
      {Array.from({ length: lines }, (_, line) => (
        <div
          key={line}
          className={`h-4 animate-pulse rounded bg-sunken ${['w-11/12', 'w-3/4', 'w-5/6', 'w-2/3'][line % 4]}`}
        />
      ))}
    </div>
  );
}

/** A failure: what happened, in the gateway's words, and what to do. */
export function Failure({
  error,
  onRetry,
}: {
  readonly error: Error;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { code = null, requestId = null } = error instanceof GatewayError ? error : {};
  const { cause, remedy } = explainError(code ?? 'INTERNAL');
  return (
    <div role="alert" className="flex flex-col items-start gap-2 border-l-2 border-bad px-4 py-3">
      <p className="font-medium text-bad">{cause}</p>
      <p className="break-words text-soft">{error.message}</p>
      <p>{remedy}</p>
      <p className="flex items-center gap-3 text-xs text-soft">
        {code !== null && <code className="font-mono">{code}</code>}
        {requestId !== null && <span>request {requestId}</span>}
      </p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** Shows the state of a query until there is data; a failure of a later refresh is shown above the data. */
export function Loaded<T>({
  query,
  lines,
  children,
}: {
  readonly query: UseQueryResult<T>;
  readonly lines?: number;
  readonly children: (data: T) => ReactNode;
}) {
  const { data, error, refetch } = query;
  const retry = () => void refetch();
  if (data === undefined) {
    return error ? (
      <Failure error={error} onRetry={retry} />
    ) : (
      <Loading {...(lines && { lines })} />
    );
  }
  return (
    <>
      {error && <Failure error={error} onRetry={retry} />}
      {children(data)}
    </>
  );
}
