/** The names under which clients look for the request id: ours, the OpenAI SDK's, the Anthropic SDK's. */
export function requestIdHeaders(requestId: string): Record<string, string> {
  return { 'x-oneapi-request-id': requestId, 'x-request-id': requestId, 'request-id': requestId }
}
