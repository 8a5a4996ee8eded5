import type { AttemptContext, ChatRequest, JsonObject, UpstreamRequest } from '#core'
import { compact, reportDropped, flatMessages, type FlatMessage } from '#adapter-kit'
import { signToken, TOKEN_MS } from './token.ts'

/** A token is used until this long before its end. */
const RESERVE_MS = 60_000

export async function send(
  request: ChatRequest,
  context: AttemptContext,
): Promise<UpstreamRequest> {
  const { channel, model, isStream } = context
  reportDropped(request, ['temperature', 'topP'], context)
  const { temperature, topP } = request
  const body = compact({
    prompt: flatMessages(request, context, { alternates: true }).flatMap(toPrompt),
    temperature,
    top_p: topP === undefined ? undefined : Math.min(topP, 0.99),
    ...(isStream ? { incremental: true } : {}),
  })
  const method = isStream ? 'sse-invoke' : 'invoke'
  return {
    method: 'POST',
    url: `${channel.baseUrl}/api/paas/v3/model-api/${encodeURIComponent(model)}/${method}`,
    headers: { 'content-type': 'application/json', authorization: await token(context) },
    body: JSON.stringify(body),
  }
}

function token({ cache, channel, now }: AttemptContext): Promise<string> {
  return cache.remember(channel.key, async () => ({
    value: await signToken(channel.key, now().getTime()),
    ttlMs: TOKEN_MS - RESERVE_MS,
  }))
}

/** These models know user and assistant only: a system message becomes one of the user, which the assistant answers with "Okay." */
function toPrompt({ role, text }: FlatMessage): JsonObject[] {
  switch (role) {
    case 'system':
      return [
        { role: 'user', content: text },
        { role: 'assistant', content: 'Okay.' },
      ]
    case 'tool':
      return [{ role: 'user', content: text }]
    default:
      return [{ role, content: text }]
  }
}
