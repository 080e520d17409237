export { InvalidFile } from './invalid-file.js';
export { readYaml } from './read-yaml.js';
export { YamlMap, YamlValue } from './yaml-value.js';
