/** Whether the process is on its way out; readiness goes off with it. */
export class ServiceState {
  stopping = false;
}
