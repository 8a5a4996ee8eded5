import type { AttemptContext, ChatRequest, UpstreamRequest } from '#core'
import { reportDropped, flatMessages } from '#adapter-kit'

export function send(request: ChatRequest, context: AttemptContext): UpstreamRequest {
  const { channel, model, isStream } = context
  reportDropped(request, [], context)
  const query = flatMessages(request, context).at(-1)?.text ?? ''
  return {
    method: 'POST',
    url: `${channel.baseUrl}/api/library/ask`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${channel.key}` },
    body: JSON.stringify({ model, query, libraryId: channel.other, stream: isStream }),
  }
}
