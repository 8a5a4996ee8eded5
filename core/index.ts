// #core: the contract. The only module of ours that plugins and adapters import.
export { Type, type Static, type TSchema } from '@sinclair/typebox'
export * from './contract/json.ts'
export * from './contract/errors.ts'
export * from './contract/events.ts'
export * from './contract/options.ts'
export * from './contract/http.ts'
export * from './contract/dialect.ts'
export * from './contract/neutral.ts'
export * from './contract/adapter.ts'
export * from './contract/prices.ts'
export * from './contract/relay.ts'
export * from './contract/task.ts'
export * from './contract/services.ts'
export * from './contract/plugin.ts'
export * from './http/body-fields.ts'
export { quotaText } from './billing/quota-text.ts'
export {
  compatibleEndpoint,
  openaiCompatible,
  OPENAI_OPERATIONS,
  type CompatibleOptions,
} from './adapter-kit/openai/compatible.ts'
export { messagesSettings, type MessagesSurface } from './adapter-kit/openai/messages-surface.ts'
export { isResponsesOnly } from './dialects/neutral/model-families.ts'
export { fetchOpenaiBalance } from './adapter-kit/openai/billing-balance.ts'
export { fitReasoningModel, resolveEffortSuffix } from './adapter-kit/openai/reasoning-models.ts'
export { codecs } from './dialects/index.ts'
export * from './adapter-kit/custom-chat/index.ts'
export { readUsage as readOpenaiUsage } from './dialects/openai-chat/usage.ts'
export {
  readFailure,
  findFailure,
  findFailureInSuccess,
  unknownFailure,
} from './failures/read-failure.ts'
export { classifyFailure } from './failures/classify-failure.ts'
export type { GatewaySettings } from './app/gateway-settings.ts'
export { askJson } from './adapter-kit/ask-json.ts'
export { clamped, renamed, without } from './adapter-kit/body-edits.ts'
export { classTable } from './failures/class-table.ts'
export { compact } from './dialects/neutral/fields.ts'
export { dataUrl, sourceOfUrl, urlOfSource } from './dialects/neutral/media.ts'
export { joinUrl } from './adapter-kit/openai/join-url.ts'
export { namesIn, openaiModelList } from './adapter-kit/openai/model-list.ts'
export { fitToolNames, newCallId, OPENAI_NAMES } from './dialects/neutral/tool-names.ts'
export { argumentObject, mergeTurns } from './dialects/neutral/turns.ts'
export { freeformDescription } from './dialects/neutral/freeform-tools.ts'
export {
  unsupportedFileReference,
  unsupportedParameter,
} from './dialects/neutral/request-errors.ts'
export { tokens, usageOf } from './dialects/neutral/usage.ts'
export { realtimeOperation } from './adapter-kit/openai/realtime.ts'
export {
  documentTexts,
  jinaRerankAnswer,
  rerankAnswer,
  type RerankReading,
} from './adapter-kit/rerank.ts'
export { inlineAnthropicFiles } from './dialects/anthropic-messages/inline-files.ts'
export { inlineGeminiFiles } from './dialects/gemini/inline-files.ts'
export {
  editList,
  editMessages,
  editOutput,
  editParts,
  inlineImages,
  withoutDeveloperRole,
  withoutJsonSchema,
} from './adapter-kit/openai/message-edits.ts'
export { documentCitation, urlCitation, type DocumentPlace } from './dialects/neutral/citations.ts'
export { effortOf, isEffort, nearestEffort } from './dialects/neutral/effort.ts'
export { parsedEvent } from './dialects/neutral/parsed-event.ts'
export { claudeHeaders } from './dialects/anthropic-messages/request-headers.ts'
export { resolveClaudeSuffix, resolveGeminiSuffix } from './adapter-kit/thinking-suffix.ts'
export { fromDrawing, toDrawing } from './adapter-kit/gemini/image-generation.ts'
export { fromImagen, toImagen } from './adapter-kit/gemini/imagen.ts'
export { fromGeminiSpeech, toGeminiSpeech } from './adapter-kit/gemini/speech.ts'
export { pause } from './net/pause.ts'
