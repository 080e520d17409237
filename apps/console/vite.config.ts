import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Files below `assets` have a hash in their names: the gateway lets browsers keep them for a year. */
export default defineConfig({
  // The gateway may be behind a proxy that adds a path: it completes the addresses of the page, and all
  // others are relative.
  base: './',
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2023',
    // A file in a data URL would need an exception in the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
});
