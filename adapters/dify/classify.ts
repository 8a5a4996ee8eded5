import { classTable } from '#core'

/** The words for too many calls: (unconfirmed) */
export const classify = classTable({
  unauthorized: 'dead-key',
  provider_quota_exceeded: 'no-money',
  provider_not_initialize: 'denied',
  model_currently_not_support: 'denied',
  app_unavailable: 'denied',
  not_chat_app: 'bad-request',
  not_completion_app: 'bad-request',
  not_workflow_app: 'bad-request',
  invalid_param: 'bad-request',
  bad_request: 'bad-request',
  conversation_completed: 'bad-request',
  file_too_large: 'bad-request',
  unsupported_file_type: 'bad-request',
  not_found: 'not-found',
  completion_request_error: 'upstream',
  too_many_requests: 'throttled',
  rate_limit_error: 'throttled',
})
