import { classTable } from '#adapter-kit'

export const classify = classTable(
  {
    'invalid-credentials': ['unauthorized'],
    'insufficient-funds': ['provider_quota_exceeded'],
    denied: ['provider_not_initialize', 'model_currently_not_support', 'app_unavailable'],
    'not-found': ['not_found'],
    'bad-request': [
      'not_chat_app',
      'not_completion_app',
      'not_workflow_app',
      'invalid_param',
      'bad_request',
      'conversation_completed',
      'file_too_large',
      'unsupported_file_type',
    ],
    upstream: ['completion_request_error'],
  },
  // Source: langgenius/dify, api/libs/external_api.py and `InvokeRateLimitError`.
  { throttled: ['too_many_requests', 'rate_limit_error'] },
)
