import { defineConfig, loadEnv } from 'vite';

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, import.meta.dirname, '');
  return {
    server: {
      host: '127.0.0.1',
      port: Number(env['EXAMPLE_PAGE_PORT'] ?? 5173),
      strictPort: true,
      // By default Vite serves every file of the repository, also those of `npm start` with the sponsor's
      // key.
      fs: { allow: ['.', '../../packages/client/dist'] },
      proxy: {
        // `xfwd` tells the backend each visitor's address, as your web server has to do in production.
        '/gas': { target: `http://127.0.0.1:${env['EXAMPLE_BACKEND_PORT'] ?? 5174}`, xfwd: true },
      },
    },
    // One value by name: a prefix for all variables would put the token into the page as well.
    define: {
      'import.meta.env.VITE_EVENTS_URL': JSON.stringify(
        env['FORECOURT_URL'] ?? 'http://127.0.0.1:9527',
      ),
    },
    build: { outDir: 'dist/page' },
  };
});
