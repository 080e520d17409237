import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { GatewayError, NO_ANSWER } from '../api/gateway-error.js';

/** Says that the gateway does not answer, so that no reader takes old figures for current ones. */
export function ConnectionNotice() {
  const client = useQueryClient();
  // Rendered again whenever a request begins or ends.
  useIsFetching();
  const isLost = client
    .getQueryCache()
    .findAll({ type: 'active' })
    .some(({ state: { error } }) => error instanceof GatewayError && error.code === NO_ANSWER);
  return (
    <div role="status">
      {isLost && (
        <p className="border-b border-line bg-warn-tint px-4 py-2 text-warn sm:px-6 lg:px-8">
          Connection lost: the gateway does not answer. What is shown may be old; the page tries
          again.
        </p>
      )}
    </div>
  );
}
