export {
  verifyWebhook,
  type VerifyOptions,
  type WebhookMessage,
  type WebhookRequest,
} from './verify-webhook.js';
export { WebhookError, type WebhookErrorCode } from './webhook-error.js';
