// #adapter-kit: what adapters call: the OpenAI-compatible base, formats of their own, codecs, the reading of failures. Types are the
// contract's (#core).
export {
  compatibleEndpoint,
  openaiCompatible,
  OPENAI_OPERATIONS,
  type CompatibleOptions,
} from './openai/compatible.ts'
export { messagesSettings, type MessagesSurface } from './openai/messages-surface.ts'
export { isResponsesOnly } from '../dialects/neutral/model-families.ts'
export { fetchOpenaiBalance } from './openai/billing-balance.ts'
export { fitReasoningModel, resolveEffortSuffix } from './openai/reasoning-models.ts'
export { codecs } from '../dialects/index.ts'
export * from './custom-chat/index.ts'
export { readUsage as readOpenaiUsage } from '../dialects/openai-chat/usage.ts'
export {
  readFailure,
  findFailure,
  findFailureInSuccess,
  unknownFailure,
} from '../upstream-failures/read-failure-body.ts'
export { classifyFailure } from '../upstream-failures/classify-failure.ts'
export { askJson } from './ask-json.ts'
export { amountOf } from './amount-of.ts'
export { askWithKey } from './ask-with-key.ts'
export { readImageForm } from './image-form.ts'
export { clamped, onlyKnown, renamed, without, withoutRefused } from './body-edits.ts'
export {
  fitEffort,
  isThinkingOff,
  thoughtsAsContent,
  thoughtsAsReasoning,
  withoutForcedCall,
  withThinkingSwitch,
  withKnownThoughts,
  withThoughtsBack,
} from './openai/thinking-edits.ts'
export { withCachedTokens } from './openai/cached-tokens.ts'
export { classTable } from '../upstream-failures/class-table.ts'
export { compact } from '../dialects/neutral/fields.ts'
export { dataUrl, sourceOfUrl, urlOfSource } from '../dialects/neutral/media.ts'
export { withModelTexts } from '../dialects/neutral/lost-in-turns.ts'
export { hostMaySearch } from './openai/web-search.ts'
export { toldSearches } from './openai/told-searches.ts'
export { embeddingTexts } from './embedding-texts.ts'
export { joinUrl } from './openai/join-url.ts'
export { keyParts, malformedKey } from './key-parts.ts'
export { namesIn, openaiModelList } from './openai/model-list.ts'
export {
  fitToolNames,
  namesApart,
  newCallId,
  OPENAI_NAMES,
  toolsNamed,
} from '../dialects/neutral/tool-names.ts'
export { argumentObject, mergeTurns } from '../dialects/neutral/turns.ts'
export { freeformDescription } from '../dialects/neutral/freeform-tools.ts'
export {
  unsupportedFileReference,
  unsupportedParameter,
} from '../dialects/neutral/request-errors.ts'
export { tokens, usageOf } from '../dialects/neutral/usage.ts'
export { realtimeOperation } from './openai/realtime.ts'
export {
  documentTexts,
  jinaRerankAnswer,
  rerankAnswer,
  type RerankReading,
} from './rerank.ts'
export { inlineAnthropicFiles } from '../dialects/anthropic-messages/inline-files.ts'
export { refuseThread } from '../dialects/anthropic-messages/thread.ts'
export { inlineGeminiFiles } from '../dialects/gemini/inline-files.ts'
export {
  editList,
  editMessages,
  editOutput,
  editParts,
  functionName,
  inlineImages,
  namedToolOnly,
  withoutDeveloperRole,
  withoutJsonSchema,
} from './openai/message-edits.ts'
export { documentCitation, urlCitation, type DocumentPlace } from '../dialects/neutral/citations.ts'
export { effortOf, isEffort, nearestEffort } from '../dialects/neutral/effort.ts'
export { azureDataSettings, refuseAzureData } from './azure-data.ts'
export { boundedJson } from '../wire/bounded-json.ts'
export { parseLoosely } from '../wire/parse-loosely.ts'
export { parsedEvent } from '../dialects/neutral/parsed-event.ts'
export { claudeHeaders } from '../dialects/anthropic-messages/request-headers.ts'
export { resolveClaudeSuffix, resolveGeminiSuffix } from './thinking-suffix.ts'
export { isGoogleKeyRefused } from './gemini/key-refused.ts'
export { geminiMedia } from './gemini/media.ts'
export { fromImageGeneration, toImageGeneration } from './gemini/image-generation.ts'
export { fromImagen, toImagen } from './gemini/imagen.ts'
export { fromGeminiSpeech, toGeminiSpeech } from './gemini/speech.ts'
export { pause } from './pause.ts'
