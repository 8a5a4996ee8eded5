// #core: the contract. The only module of ours that plugins and adapters import.
export { Type, type Static, type TSchema } from '@sinclair/typebox'
export * from './contract/json.ts'
export * from './contract/errors.ts'
export * from './contract/events.ts'
export * from './contract/options.ts'
export * from './contract/http.ts'
export * from './contract/dialect.ts'
export * from './contract/adapter.ts'
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
export { fitReasoningModel, resolveEffortSuffix } from './dialects/openai/reasoning-models.ts'
export { codecs } from './dialects/index.ts'
export { readFailure, findFailure, findFailureInSuccess } from './dialects/failure.ts'
export { classifyFailure } from './dialects/classify.ts'
