/** How many jobs wait for an executor: those with a turn, and those that were enqueued again, which come first. */
export function countWaiting(queue: {
  getJobCountByTypes(...types: ('wait' | 'prioritized')[]): Promise<number>;
}): Promise<number> {
  return queue.getJobCountByTypes('wait', 'prioritized');
}
