// Source: Google's withdrawn page "models.generateMessage" of the PaLM API.
import type { AttemptContext, ChatRequest, JsonObject, Part } from '#core'
import { compact } from '#adapter-kit'

export function toPalm(request: ChatRequest, { drop }: AttemptContext): JsonObject {
  noteDropped(request, drop)
  const context = textOf(request.system)
  return compact({
    prompt: compact({
      context: context === '' ? undefined : context,
      messages: request.turns.map(({ role, parts }) => ({
        author: role === 'model' ? '1' : '0',
        content: textOf(parts),
      })),
    }),
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    candidateCount: request.count,
  })
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n')
}

/** PaLM's messages are plain text, and it takes no limit for the answer. */
function noteDropped(request: ChatRequest, drop: (field: string) => void): void {
  if (request.maxTokens !== undefined) drop('max_tokens')
  if (request.stop !== undefined) drop('stop')
  if (request.tools.length > 0) drop('tools')
  if (request.responseFormat !== undefined) drop('response_format')
}
