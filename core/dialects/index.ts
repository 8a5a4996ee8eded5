import type { ChatDialect, DialectCodec } from '../contract/dialect.ts'
import { anthropicMessages } from './anthropic-messages/index.ts'
import { gemini } from './gemini/index.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

/** The codecs of the dialects that the gateway serves. */
export const codecs: Readonly<Record<ChatDialect, DialectCodec>> = Object.freeze({
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  gemini,
})
