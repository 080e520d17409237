export {
  EXECUTION_QUEUE,
  ExecutionQueueModule,
  type ExecutionQueueOptions,
} from './execution-queue.module.js';
export { ClaimJobs, spareTakes, Turns } from './claim-jobs.js';
export { countTransactions, countWaiting, measureQueue } from './measure-queue.js';
