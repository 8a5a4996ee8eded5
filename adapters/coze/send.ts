import type { AttemptContext, ChatRequest, JsonObject, UpstreamRequest } from '#core'
import { compact, reportDropped, flatMessages, type FlatMessage } from '#adapter-kit'
import { toPicture } from './files.ts'

export async function send(
  request: ChatRequest,
  context: AttemptContext,
): Promise<UpstreamRequest> {
  const { channel, clientBody, clientDialect, isStream, requestId } = context
  reportDropped(request, ['user'], context)
  const own = clientDialect === 'openai-chat' ? clientBody : undefined
  const messages = flatMessages(request, context, { takesImages: true })
  const body = compact({
    bot_id: channel.other,
    user_id: request.user ?? requestId,
    additional_messages: await Promise.all(messages.map((message) => toMessage(message, context))),
    stream: isStream,
    custom_variables: own?.custom_variables,
    meta_data: own?.meta_data,
  })
  const conversation = own?.conversation_id
  const query =
    typeof conversation === 'string'
      ? `?conversation_id=${encodeURIComponent(conversation.toWellFormed())}`
      : ''
  return {
    method: 'POST',
    url: `${channel.baseUrl}/v3/chat${query}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${channel.key}` },
    body: JSON.stringify(body),
  }
}

/** Coze has no system role and no tool results: both become messages of the user. */
async function toMessage(message: FlatMessage, context: AttemptContext): Promise<JsonObject> {
  const { role, text, images } = message
  const head = role === 'assistant' ? { role, type: 'answer' } : { role: 'user', type: 'question' }
  if (images.length === 0) return { ...head, content: text, content_type: 'text' }
  const pictures = await Promise.all(images.map((source) => toPicture(source, context)))
  const parts = text === '' ? pictures : [{ type: 'text', text }, ...pictures]
  return { ...head, content: JSON.stringify(parts), content_type: 'object_string' }
}
