export { inSpan } from './in-span.js';
export { startTracing, type TracingOptions } from './start-tracing.js';
