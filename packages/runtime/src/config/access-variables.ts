import { variable } from './variable.js';

/** The files of tokens and access rules. */
export const accessVariables = {
  tokensFile: variable.optionalText('TOKENS_FILE', {
    description: 'YAML file with further tokens, each with its hash, role and limits',
  }),
  accessRulesFile: variable.optionalText('ACCESS_RULES_FILE', {
    description: 'YAML file with the access rules',
  }),
};
