/** Whether this process makes spans: without, what is traced costs nothing. */
export const tracingState = { isOn: false };
