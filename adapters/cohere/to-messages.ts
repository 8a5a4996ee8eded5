// The messages of chat v2. Source: docs.cohere.com/reference/chat.
import type { ChatRequest, JsonObject, Part, Turn } from '#core'
import { compact, unsupportedParameter, urlOfSource } from '#adapter-kit'

/** `apart` are the parts that are sent beside the conversation. */
export function toMessages({ system, turns }: ChatRequest, apart: ReadonlySet<Part>): JsonObject[] {
  const rules = textOf(system)
  const spoken = turns.flatMap((turn) =>
    turn.role === 'model' ? [fromModel(turn)] : fromUser(turn, apart),
  )
  return rules === '' ? spoken : [{ role: 'system', content: rules }, ...spoken]
}

/** Text beside calls is the plan; an assistant's turn has either content or calls. */
function fromModel({ parts }: Turn): JsonObject {
  const calls = parts.filter((part) => part.kind === 'tool_call')
  const text = textOf(parts)
  if (calls.length === 0) return { role: 'assistant', content: text }
  return compact({
    role: 'assistant',
    tool_plan: text === '' ? undefined : text,
    tool_calls: calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
  })
}

/** Results of tools are messages of their own, before what the user adds. They hold text only, so that their pictures follow as the user's. */
function fromUser({ parts }: Turn, apart: ReadonlySet<Part>): JsonObject[] {
  const results = parts.filter((part) => part.kind === 'tool_result')
  const rest = parts.filter((part) => part.kind !== 'tool_result' && !apart.has(part))
  const found = results.flatMap(({ content }) => content)
  for (const part of [...rest, ...found]) refuseMedia(part)
  const visible = [...found.filter(({ kind }) => kind === 'image'), ...rest]
  return [
    ...results.map((result) => ({
      role: 'tool',
      tool_call_id: result.callId,
      content: textOf(result.content),
    })),
    ...(visible.length === 0 ? [] : [{ role: 'user', content: userContent(visible) }]),
  ]
}

/** Cohere reads text and images. Other files are refused, not dropped: the answer would look as if they had been read. */
function refuseMedia(part: Part): void {
  if (part.kind === 'audio') throw unsupportedParameter('messages', 'this model takes no audio')
  if (part.kind === 'file' && part.source.type !== 'text')
    throw unsupportedParameter('messages', 'this model takes no files but text')
}

/** Content is a list only where it has images: text models take a string only. */
function userContent(parts: readonly Part[]): string | JsonObject[] {
  if (!parts.some(({ kind }) => kind === 'image')) return textOf(parts)
  return parts.flatMap((part): JsonObject[] => {
    if (part.kind === 'text') return [{ type: 'text', text: part.text }]
    if (part.kind !== 'image') return []
    const url = urlOfSource(part.source, 'messages')
    return [{ type: 'image_url', image_url: compact({ url, detail: part.detail }) }]
  })
}

function textOf(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => {
      if (part.kind === 'text' || part.kind === 'refusal') return [part.text]
      return part.kind === 'file' && part.source.type === 'text' ? [part.source.text] : []
    })
    .join('\n')
}
