import { fullId } from '../hex.js';

/** Id of the demo package. */
export const DEMO_PACKAGE = fullId('0xdec0');
export const CAR_TYPE = `${DEMO_PACKAGE}::garage::Car`;
export const COUNTER_TYPE = `${DEMO_PACKAGE}::garage::Counter`;
export const TOKEN_TYPE = `${DEMO_PACKAGE}::token::TOKEN`;
