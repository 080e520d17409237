/** Full nodes are up to seven seconds behind their validators. */
const TIMEOUT_MS = 20_000;

interface Message {
  readonly error?: { readonly message: string };
  readonly params?: { readonly result?: unknown; readonly error?: { readonly message: string } };
}

/**
 * Subscribes at a gateway to the ledger's events that match `filter`. Resolves once the subscription is in
 * place; `first` resolves with the first event's record. Both reject when nothing arrives in time.
 */
export async function awaitEvent(
  gatewayUrl: string,
  filter: unknown,
): Promise<{ readonly first: Promise<unknown> }> {
  const socket = new WebSocket(`${gatewayUrl.replace(/^http/, 'ws')}/rpc`);
  const subscribed = Promise.withResolvers<void>();
  const first = Promise.withResolvers<unknown>();
  const fail = (reason: string) => {
    const error = new Error(`no event from ${socket.url}: ${reason}`);
    subscribed.reject(error);
    first.reject(error);
    socket.close();
  };
  // A failure before the subscription is in place is reported by `subscribed`.
  first.promise.catch(() => undefined);
  const late = setTimeout(() => fail(`nothing arrived within ${TIMEOUT_MS / 1_000} s`), TIMEOUT_MS);
  void first.promise.finally(() => clearTimeout(late)).catch(() => undefined);

  socket.onclose = () => fail('the connection was closed');
  socket.onopen = () => {
    const request = { jsonrpc: '2.0', id: 1, method: 'ledger_subscribeEvent', params: [filter] };
    socket.send(JSON.stringify(request));
  };
  socket.onmessage = ({ data }) => {
    const { error, params } = JSON.parse(String(data)) as Message;
    const failure = error ?? params?.error;
    if (failure) return fail(failure.message);
    if (!params) return subscribed.resolve();
    first.resolve(params.result);
    socket.close();
  };
  await subscribed.promise;
  return { first: first.promise };
}
