export { readNumberOption } from './read-number-option.js';
export { readProgramOptions } from './read-program-options.js';
