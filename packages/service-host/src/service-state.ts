/** Whether the process is on its way out; readiness goes off with it. */
export class ServiceState {
  stopping = false;
  /** On the clock of `performance.now()`: what has no outcome by then is given up with an answer that says so. */
  answerBy = Infinity;
}
