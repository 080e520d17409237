export {
  EXECUTION_QUEUE,
  type ExecutionQueueOptions,
  ExecutionQueueModule,
} from './execution-queue.module.js';
export { countWaiting } from './count-waiting.js';
export { measureQueue } from './measure-queue.js';
export { Turns } from './turns.js';
