export { readChoiceOption, readNumberOption } from './read-options.js';
export { readProgramOptions } from './read-program-options.js';
