const PATIENCE_MS = 30_000;

interface Message {
  readonly error?: { readonly message: string };
  readonly params?: { readonly result?: unknown; readonly error?: { readonly message: string } };
}

/**
 * Subscribes at a gateway to the ledger's events that match `filter`. Resolves once the subscription stands; `first`
 * then is the first event's record. Both fail when nothing arrives in time.
 */
export async function awaitEvent(
  gatewayUrl: string,
  filter: unknown,
): Promise<{ readonly first: Promise<unknown> }> {
  const socket = new WebSocket(`${gatewayUrl.replace(/^http/, 'ws')}/rpc`);
  const agreed = Promise.withResolvers<void>();
  const first = Promise.withResolvers<unknown>();
  const fail = (reason: string) => {
    const error = new Error(`no event from ${socket.url}: ${reason}`);
    agreed.reject(error);
    first.reject(error);
    socket.close();
  };
  // Whoever waits for the agreement hears of a failure by that.
  first.promise.catch(() => undefined);
  const late = setTimeout(() => fail('nothing arrived in time'), PATIENCE_MS);
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
    if (!params) return agreed.resolve();
    first.resolve(params.result);
    socket.close();
  };
  await agreed.promise;
  return { first: first.promise };
}
