/** Loaded into services whose memory is measured: SIGUSR2 collects garbage, so that what is left is what is kept. */
const { gc } = globalThis;
process.on('SIGUSR2', () => gc?.());
