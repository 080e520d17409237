/**
 * Loaded into services whose memory is measured: a signal collects garbage, so that only retained
 * memory remains. No other code here handles SIGWINCH, and its default action ends no process.
 */
const { gc } = globalThis;
process.on('SIGWINCH', () => gc?.());
