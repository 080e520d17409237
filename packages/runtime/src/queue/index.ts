export {
  EXECUTION_QUEUE,
  ExecutionQueueModule,
  type ExecutionQueueOptions,
} from './execution-queue.module.js';
export { ClaimJobs, Turns } from './claim-jobs.js';
export { countTransactions, countWaiting, measureQueue } from './measure-queue.js';
export { spareTakes } from './spare-takes.js';
