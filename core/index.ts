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
} from './dialects/openai/compatible.ts'
export { messagesSettings, type MessagesSurface } from './dialects/openai/messages-surface.ts'
export { isResponsesOnly } from './dialects/model-families.ts'
export { fetchOpenaiBalance } from './dialects/openai/billing-balance.ts'
export { fitReasoningModel, resolveEffortSuffix } from './dialects/openai/reasoning-models.ts'
export { codecs } from './dialects/index.ts'
export * from './dialects/own-format/index.ts'
export { readUsage as readOpenaiUsage } from './dialects/openai-chat/usage.ts'
export {
  readFailure,
  findFailure,
  findFailureInSuccess,
  unknownFailure,
} from './dialects/failure.ts'
export { classifyFailure } from './dialects/classify.ts'
export type { GatewaySettings } from './gateway-settings.ts'
export { askJson } from './dialects/ask-json.ts'
export { clamped, renamed, without } from './dialects/body-edits.ts'
export { classTable } from './dialects/class-table.ts'
export { compact } from './dialects/fields.ts'
export { dataUrl, sourceOfUrl, urlOfSource } from './dialects/media.ts'
export { joinUrl } from './dialects/openai/join-url.ts'
export { namesIn, openaiModelList } from './dialects/openai/model-list.ts'
export { fitToolNames, newCallId, OPENAI_NAMES } from './dialects/tool-names.ts'
export { argumentObject, mergeTurns } from './dialects/turns.ts'
export { freeformDescription } from './dialects/freeform-tools.ts'
export { unsupportedFileReference, unsupportedParameter } from './dialects/request-errors.ts'
export { tokens, usageOf } from './dialects/usage.ts'
export { realtimeOperation } from './dialects/openai/realtime.ts'
export {
  documentTexts,
  jinaRerankAnswer,
  rerankAnswer,
  type RerankReading,
} from './dialects/rerank.ts'
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
} from './dialects/openai/message-edits.ts'
export { documentCitation, urlCitation, type DocumentPlace } from './dialects/citations.ts'
export { effortOf, isEffort, nearestEffort } from './dialects/effort.ts'
export { parsedEvent } from './dialects/parsed-event.ts'
export { claudeHeaders } from './dialects/anthropic-messages/request-headers.ts'
export { resolveClaudeSuffix, resolveGeminiSuffix } from './dialects/thinking-suffix.ts'
export { fromDrawing, toDrawing } from './dialects/gemini/drawing.ts'
export { fromImagen, toImagen } from './dialects/gemini/imagen.ts'
export { fromGeminiSpeech, toGeminiSpeech } from './dialects/gemini/speech.ts'
export { pause } from './net/pause.ts'
