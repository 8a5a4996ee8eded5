import {
  isObject,
  type AttemptContext,
  type ChatRequest,
  type JsonObject,
  type UpstreamRequest,
} from '#core'
import { compact, reportDropped, flatMessages, joinUrl, type FlatMessage } from '#adapter-kit'
import { kindOf, type AppKind } from './app-kind.ts'
import { toFiles } from './files.ts'

const PATHS: Readonly<Record<AppKind, string>> = {
  chat: '/v1/chat-messages',
  agent: '/v1/chat-messages',
  completion: '/v1/completion-messages',
  workflow: '/v1/workflows/run',
}

export async function send(
  request: ChatRequest,
  context: AttemptContext,
): Promise<UpstreamRequest> {
  const { channel, isStream, requestId } = context
  reportDropped(request, ['user'], context)
  const kind = kindOf(channel)
  const messages = flatMessages(request, context, { takesImages: true })
  const user = request.user ?? requestId
  const images = messages.flatMap((message) => message.images)
  const query = queryOf(messages)
  const { inputs, conversation_id } = ownFields(context)
  const isConversation = kind === 'chat' || kind === 'agent'
  const body = compact({
    inputs: isConversation ? inputs : { ...inputs, query },
    query: isConversation ? query : undefined,
    // Agents only stream.
    response_mode: isStream || kind === 'agent' ? 'streaming' : 'blocking',
    user,
    conversation_id: isConversation ? conversation_id : undefined,
    auto_generate_name: isConversation ? false : undefined,
    files: images.length === 0 ? undefined : await toFiles(images, user, context),
  })
  return {
    method: 'POST',
    url: joinUrl(channel.baseUrl, PATHS[kind]),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${channel.key}` },
    body: JSON.stringify(body),
  }
}

/** Fields of Dify that a client of the OpenAI dialect may add to its body. */
function ownFields({ clientBody, clientDialect }: AttemptContext): {
  inputs: JsonObject
  conversation_id: unknown
} {
  const own = clientDialect === 'openai-chat' ? clientBody : undefined
  return {
    inputs: isObject(own?.inputs) ? own.inputs : {},
    conversation_id: own?.conversation_id,
  }
}

const LABELS = { system: 'SYSTEM', user: 'USER', assistant: 'ASSISTANT', tool: 'USER' } as const

/** A single question goes as it is; a conversation goes as its transcript. */
function queryOf(messages: readonly FlatMessage[]): string {
  const [first] = messages
  if (messages.length === 1 && first?.role === 'user') return first.text
  return messages.map(({ role, text }) => `${LABELS[role]}:\n${text}`).join('\n\n')
}
