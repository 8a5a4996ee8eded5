// The fields that each model family behind Converse accepts. Source: docs.aws.amazon.com/bedrock: "Supported models and model features" of Converse, "Prompt caching",
// "Get validated JSON results from models", API reference ToolChoice, and the pages of inference parameters by vendor.
import type { AttemptContext } from '#core'
import { bareId, vendorOfCall } from './models.ts'

export interface Traits {
  vendor: string
  /** The model's id without prefix and ARN. */
  name: string
  /** Where a cache point is allowed. */
  cachePoints: 'none' | 'content' | 'everywhere'
  /** Whether a tool call can be forced: not at all, of any tool, or of one by name. */
  demandsCalls: 'never' | 'any' | 'by-name'
  /** Whether a result may be marked as failed. */
  marksFailedResults: boolean
  /** `outputConfig.textFormat` and strict tools. */
  takesSchema: boolean
  takesSampling: boolean
  takesStop: boolean
  /** Ids of calls are nine letters or digits. */
  hasShortCallIds: boolean
}

/** Open models that take a JSON schema; which of them exactly: (unconfirmed). Earlier ones, Nova and Llama have no such field. */
const SCHEMA =
  /^(?:qwen\.|deepseek\.v3|google\.gemma|minimax\.|moonshot|nvidia\.|openai\.gpt-oss|zai\.|mistral\.(?:mistral-large-3|ministral-3|magistral|devstral-2|voxtral))/

/** Vendors whose models refuse a forced tool call; which of them exactly: (unconfirmed). */
const FREE_TO_CALL: ReadonlySet<string> = new Set(['ai21', 'cohere', 'meta', 'writer'])

export function traitsOf(context: Pick<AttemptContext, 'model' | 'requestedModel'>): Traits {
  const vendor = vendorOfCall(context) ?? ''
  const name = bareId(context.model.slice(context.model.lastIndexOf('/') + 1))
  const isNova = vendor === 'amazon'
  const isClaude = vendor === 'anthropic'
  const isClosedOpenai = vendor === 'openai' && !name.includes('gpt-oss')
  return {
    vendor,
    name,
    cachePoints: isClaude ? 'everywhere' : isNova ? 'content' : 'none',
    demandsCalls: isClaude || isNova ? 'by-name' : FREE_TO_CALL.has(vendor) ? 'never' : 'any',
    marksFailedResults: isClaude || isNova,
    takesSchema: SCHEMA.test(name),
    // The runtime refuses both: "This model doesn't support the temperature field", and the same of stop sequences for every OpenAI model.
    takesSampling: !isClosedOpenai,
    takesStop: vendor !== 'openai',
    hasShortCallIds: vendor === 'mistral',
  }
}
