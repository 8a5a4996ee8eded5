// The class of a failure where its adapter says nothing: first by words of the body, then by status.
import type { FailureClass, RawFailure } from '../contract/errors.ts'

/** Words that stand in `code` or `type` and decide alone, whatever the status. */
const BY_WORD: Readonly<Record<string, FailureClass>> = {
  invalid_api_key: 'invalid-credentials',
  account_deactivated: 'invalid-credentials',
  billing_not_active: 'invalid-credentials',
  authentication_error: 'invalid-credentials',
  permission_error: 'invalid-credentials',
  forbidden: 'invalid-credentials',
  UNAUTHENTICATED: 'invalid-credentials',
  // Google's reason behind a 400.
  API_KEY_INVALID: 'invalid-credentials',
  insufficient_quota: 'insufficient-funds',
  insufficient_user_quota: 'insufficient-funds',
  // OpenAI's codes since 2026; its type may still be the first of these words. Source: developers.openai.com, guide "Error codes".
  credit_balance_exhausted: 'insufficient-funds',
  organization_spend_limit_exceeded: 'insufficient-funds',
  project_spend_limit_exceeded: 'insufficient-funds',
  organization_usage_limit_exceeded: 'insufficient-funds',
  // Its pictures', behind a 400.
  billing_hard_limit_reached: 'insufficient-funds',
  billing_error: 'insufficient-funds',
  model_not_found: 'not-found',
  not_found_error: 'not-found',
  rate_limit_exceeded: 'throttled',
  rate_limit_error: 'throttled',
  // Perplexity
  request_rate_limit_exceeded: 'throttled',
  overloaded_error: 'throttled',
  RESOURCE_EXHAUSTED: 'throttled',
  content_filter: 'content',
  content_policy_violation: 'content',
  prompt_blocked: 'content',
  context_length_exceeded: 'bad-request',
  request_too_large: 'bad-request',
}

/** Words that say what kind of failure it was only where the status does not: inside a 200. */
const BY_WORD_IN_SUCCESS: Readonly<Record<string, FailureClass>> = {
  access_denied: 'denied',
  PERMISSION_DENIED: 'denied',
  NOT_FOUND: 'not-found',
  invalid_request_error: 'bad-request',
  INVALID_ARGUMENT: 'bad-request',
  requests: 'throttled',
  tokens: 'throttled',
  timeout_error: 'timeout',
  DEADLINE_EXCEEDED: 'timeout',
}

const BY_STATUS: Readonly<Record<number, FailureClass>> = {
  400: 'bad-request',
  401: 'invalid-credentials',
  402: 'insufficient-funds',
  403: 'denied',
  404: 'not-found',
  408: 'timeout',
  413: 'bad-request',
  422: 'bad-request',
  429: 'throttled',
  504: 'timeout',
  524: 'timeout',
  529: 'throttled',
}

export function classifyFailure(failure: RawFailure): FailureClass {
  return classifyByBody(failure) ?? classifyByStatus(failure.bodyStatus ?? failure.status)
}

/** The class that the body's words give; a status_code_mapping leaves it as it is. */
export function classifyByBody(failure: RawFailure): FailureClass | undefined {
  const words = [failure.code, failure.type]
  const found = lookUp(BY_WORD, words)
  // Google names an empty prepaid account by the word of its limits.
  if (found === 'throttled' && (failure.bodyStatus ?? failure.status) === 402)
    return 'insufficient-funds'
  if (found !== undefined || failure.status >= 300) return found
  if (failure.bodyStatus !== undefined) return classifyByStatus(failure.bodyStatus)
  return lookUp(BY_WORD_IN_SUCCESS, words)
}

/** Statuses that nobody knows are `upstream`, which is tried elsewhere. */
export function classifyByStatus(status: number): FailureClass {
  return BY_STATUS[status] ?? 'upstream'
}

function lookUp(
  table: Readonly<Record<string, FailureClass>>,
  words: readonly (string | number | null | undefined)[],
): FailureClass | undefined {
  for (const word of words) {
    if (typeof word === 'string' && Object.hasOwn(table, word)) return table[word]
  }
  return undefined
}
