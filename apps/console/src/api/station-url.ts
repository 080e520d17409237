/**
 * The path of the console, `/console` or one below a proxy’s path: its scripts are in the folder `assets`
 * there.
 */
export const CONSOLE_PATH = new URL(import.meta.url).pathname.replace(/\/assets\/[^/]*$/, '');

/** The address of the gas station: that of the console without its last part. */
export const STATION_URL = `${location.origin}${CONSOLE_PATH.replace(/\/[^/]*$/, '')}`;
