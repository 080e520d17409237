import './styles.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { GatewayError } from './api/gateway-error.js';
import { router } from './shell/router.js';

const MOST_RETRIES = 2;
const LONGEST_DELAY_MS = 10_000;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) =>
        failures < MOST_RETRIES && error instanceof GatewayError && error.isPassing,
      retryDelay: (failures, error) => {
        const suggested = error instanceof GatewayError ? error.retryAfterMs : null;
        return Math.min(suggested ?? 500 * 2 ** failures, LONGEST_DELAY_MS);
      },
      // A query that fails in a browser without network would wait for it silently; the page says that it is
      // lost.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
