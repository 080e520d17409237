import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Files below `assets` have a hash in their names: the gateway lets browsers keep them for a year. */
export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2023',
    // A file in a data URL would need an exception in the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
});
