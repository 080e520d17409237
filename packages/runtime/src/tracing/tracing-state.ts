/** Whether this process creates spans; without tracing, a traced function has no overhead. */
export const tracingState = { isOn: false };
