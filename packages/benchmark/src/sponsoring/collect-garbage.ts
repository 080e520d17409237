/**
 * Loaded into services whose memory is measured: a signal collects garbage, so that what is left is what is kept. SIGWINCH
 * is one that nobody else here listens to, and that ends no process.
 */
const { gc } = globalThis;
process.on('SIGWINCH', () => gc?.());
