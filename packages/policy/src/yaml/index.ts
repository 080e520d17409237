export { readInstant, readOneOf, readYaml } from './read-yaml.js';
export { InvalidFile } from './invalid-file.js';
export { YamlValue } from './yaml-value.js';
