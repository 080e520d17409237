export { digestInBase58, digestInBase64 } from './digest-forms.js';
