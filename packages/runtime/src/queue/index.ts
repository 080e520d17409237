export { EXECUTION_QUEUE, ExecutionQueueModule } from './execution-queue.module.js';
export { ClaimJobs } from './claim-jobs.js';
export { LocalWorker } from './local-worker.js';
export { wake } from './worker-jobs.js';
export { spareTakes } from './spare-takes.js';
export { countTransactions, countWaiting, measureQueue } from './measure-queue.js';
