// The body of POST /pg/chat/completions: the conversation since the last divider.
import { type Message, splitThinking } from './message.ts'

export interface Settings {
  group: string
  model: string
  /** 0.1 to 1. */
  temperature: number
  /** 0: no limit of our own. */
  max_tokens: number
  system: string
}

export interface ChatBody {
  messages: { role: string; content: unknown }[]
  stream: true
  model: string
  group: string
  max_tokens: number
  temperature: number
}

export function bodyOf(settings: Settings, messages: readonly Message[]): ChatBody {
  const system = settings.system.trim()
  return {
    messages: [...(system ? [{ role: 'system', content: system }] : []), ...sentOf(messages)],
    stream: true,
    model: settings.model,
    group: settings.group,
    max_tokens: Math.trunc(settings.max_tokens),
    temperature: settings.temperature,
  }
}

function sentOf(messages: readonly Message[]): ChatBody['messages'] {
  const start = messages.findLastIndex(({ role }) => role === 'divider') + 1
  return messages.slice(start).flatMap((message) => {
    const content = contentOf(message)
    return content.length > 0 ? [{ role: message.role, content }] : []
  })
}

/** Earlier answers are sent without reasoning and pictures, because few providers accept those in a history. */
function contentOf(message: Message): string | object[] {
  if (message.role === 'assistant') return splitThinking(message).answer
  const { content, images = [] } = message
  if (images.length === 0) return content
  return [
    ...(content ? [{ type: 'text', text: content }] : []),
    ...images.map((url) => ({ type: 'image_url', image_url: { url } })),
  ]
}
