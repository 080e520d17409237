export {
  EXECUTION_QUEUE,
  type ExecutionQueueOptions,
  ExecutionQueueModule,
} from './execution-queue.module.js';
export { measureQueue } from './measure-queue.js';
