import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callGateway } from '../api/call-gateway.js';
import { GatewayError } from '../api/gateway-error.js';
import { session } from '../api/session.js';
import { callerQuery } from '../api/use-caller.js';
import { Button } from '../elements/button.js';
import { TextInput } from '../elements/fields.js';
import { Mark } from './mark.js';

/** Asks for a token, and checks it before the session begins. */
export function SignIn() {
  const client = useQueryClient();
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState(session.endReason);
  const [busy, setBusy] = useState(false);

  const signIn = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const text = token.trim();
      const { result } = await callGateway('describeCaller', { token: text });
      client.clear();
      client.setQueryData(callerQuery.queryKey, result);
      session.begin(text);
    } catch (error) {
      const isRefused = error instanceof GatewayError && error.status === 401;
      setProblem(isRefused ? 'The gateway does not know this token.' : (error as Error).message);
      setBusy(false);
    }
  };

  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-2.5">
          <Mark />
          <h1 className="text-lg font-semibold tracking-tight">Forecourt</h1>
        </div>
        <form
          onSubmit={(event) => void signIn(event)}
          className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-5"
        >
          <TextInput
            label="Token"
            type="password"
            required
            autoFocus
            value={token}
            onChange={(event) => setToken(event.target.value)}
            hint="A bearer token of this gas station. It stays in this tab and ends with it."
          />
          {problem !== null && (
            <p role="alert" className="text-bad">
              {problem}
            </p>
          )}
          <Button look="primary" type="submit" disabled={busy}>
            {busy ? 'Checking…' : 'Sign in'}
          </Button>
        </form>
        <p className="mt-4 text-xs text-soft">
          npm start prints a token. Elsewhere the operator makes one with npm run forecourt --
          token.
        </p>
      </div>
    </main>
  );
}
