import type { AttemptContext, ChatRequest, UpstreamRequest } from 'tollgate/contract'
import { compact, flatMessages, reportDropped } from 'tollgate/adapter-kit'

/** From the neutral form, into which the gateway has read every client's dialect. */
export function send(request: ChatRequest, context: AttemptContext): UpstreamRequest {
  const { channel, isStream, model } = context
  // What Acme has no word for is dropped, and the client is told.
  reportDropped(request, ['maxTokens', 'temperature'], context)
  const body = compact({
    model,
    turns: flatMessages(request, context).map(({ role, text }) => ({ who: role, text })),
    limit: request.maxTokens,
    temperature: request.temperature,
    stream: isStream,
  })
  return {
    method: 'POST',
    url: `${channel.baseUrl}/generate`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${channel.key}` },
    body: JSON.stringify(body),
  }
}
