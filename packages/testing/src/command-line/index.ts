export { readNumberOption } from './read-number-option.js';
export { readOptions } from './read-options.js';
