import { role } from '../../contract/constants.ts'
import type { CallOperation } from '../../contract/adapter.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { PriceSnapshot } from '../../contract/services.ts'
import { imagePrice } from '../../billing/prices/image-price.ts'
import { likelySpeechTokens, sellsSound } from '../../billing/counting/audio-tokens.ts'
import { countSpeech } from '../../billing/counting/prompt-tokens.ts'
import { countAsked } from '../intake/check-counts.ts'
import type { CallKind } from '../call/call-kind.ts'
import type { AdmittedCall, CallPrice, RelayCall } from '../call/relay-call.ts'
import type { PriceDeps } from '../call/relay-deps.ts'
import { drawingModelsOf, svgAuthorsOf } from './drawing-models.ts'
import { isOfPictures } from '../call/operation-kinds.ts'

/** Freezes the prices of a call and says how much to reserve for it.
 *  @throws price.unset */
export function priceCall(
  call: AdmittedCall,
  kind: CallKind,
  promptEstimate: number,
  deps: Pick<PriceDeps, 'pricing' | 'countFields'>,
): CallPrice {
  if (kind.kind === 'task') return kind.step.price(call)
  const { identity } = call
  const isAdmin = identity.userRole >= role.admin
  const caller = { acceptUnset: identity.acceptUnsetRatio, isAdmin }
  const snapshotOf = (model: string, field?: string) =>
    deps.pricing.snapshot(model, call.group, field === undefined ? caller : { ...caller, field })
  const own = snapshotOf(call.requestedModel)
  const drawing = drawingPriceOf(call, snapshotOf, deps)
  for (const { name, field } of svgAuthorsOf(call)) snapshotOf(name, field)
  const base = drawing ? { ...own, drawing } : own
  const price = isOfPictures(call.operation)
    ? imagePriceOf(call, base, countAsked(call, deps.countFields))
    : base
  const promptTokens = promptTokensOf(call, promptEstimate)
  const isSpoken = call.operation === 'audio.speech' && sellsSound(call.requestedModel)
  const units = deps.pricing.estimate(price, {
    promptTokens,
    maxTokens: isSpoken ? likelySpeechTokens(promptTokens) : answerTokensOf(call),
    answers: answersOf(call),
  })
  return { price, unitPrice: base, units, isOpenEnded: isOpenEnded(call, base) }
}

/** The price of what a tool draws; undefined where that of the tool itself applies.
 *  @throws price.unset for a model that the client names */
function drawingPriceOf(
  { body }: AdmittedCall,
  snapshotOf: (model: string, field?: string) => PriceSnapshot,
  { pricing }: Pick<PriceDeps, 'pricing'>,
): PriceSnapshot | undefined {
  const [model] = drawingModelsOf(body)
  if (!model) return undefined
  const { name, field } = model
  const isPriced = pricing.isPriced(name)
  const price = isPriced || field !== undefined ? snapshotOf(name, field) : undefined
  return isPriced ? price : undefined
}

/** Whether the cost cannot be estimated: the client set no limit for the answer, the length of sound to transcribe is
 *  unknown, pictures cost by the token, or the provider adds to the prompt or runs tools. */
function isOpenEnded(call: AdmittedCall, { mode }: PriceSnapshot): boolean {
  if (mode !== 'ratio') return false
  if (unforeseen.has(call.operation)) return true
  if (!answering.has(call.operation)) return false
  return answerTokensOf(call) === 0 || (call.operation === 'chat' && growsUpstream(call.body))
}

const unforeseen: ReadonlySet<CallOperation> = new Set([
  'images.generations',
  'images.edits',
  'audio.transcriptions',
  'audio.translations',
])

function growsUpstream(body: JsonObject | undefined): boolean {
  if (!body) return false
  if (storedPrompts.some((name) => isNamed(body[name]))) return true
  const tools: unknown = body['tools']
  return Array.isArray(tools) && tools.some(isRunUpstream)
}

/** Parts of a prompt that are stored at the provider. */
const storedPrompts = [
  'previous_response_id',
  'conversation',
  'prompt',
  'cachedContent',
  'cached_content',
] as const

function isNamed(value: unknown): boolean {
  return isObject(value) ? value['id'] !== undefined : typeof value === 'string' && value !== ''
}

/** Functions run at the client. Google's own tools are named by their only key. */
function isRunUpstream(tool: unknown): boolean {
  if (!isObject(tool)) return false
  const type = tool['type']
  if (typeof type === 'string') return type !== 'function' && type !== 'custom'
  return !['name', 'functionDeclarations', 'function_declarations'].some((key) => key in tool)
}

/** How much to reserve. While other calls of the account are open, a call without a limit for its answer reserves what
 *  such calls have cost lately: with the estimates alone, many calls at once could cost far more than the balance. A
 *  single call reserves its estimate. */
export function reservationOf(
  call: Pick<AdmittedCall, 'identity' | 'requestedModel'>,
  { units, isOpenEnded: isUnlimited }: CallPrice,
  deps: Pick<PriceDeps, 'ledger' | 'recentCosts'>,
): RelayCall['reserved'] {
  const { userId } = call.identity
  if (!isUnlimited || units === 0 || deps.ledger.openCount(userId) === 0) {
    return { units, rule: 'estimate' }
  }
  const likely = deps.recentCosts.likely(userId, call.requestedModel)
  return likely !== undefined && likely.units > units ? likely : { units, rule: 'estimate' }
}

/** The price of `count` pictures in the size and quality that the call asked for. */
export function imagePriceOf(
  call: Pick<AdmittedCall, 'body' | 'form' | 'requestedModel'>,
  base: PriceSnapshot,
  count: number,
): PriceSnapshot {
  const size = fieldOf(call, 'size')
  const quality = fieldOf(call, 'quality')
  return imagePrice(base, {
    model: call.requestedModel,
    ...(size === undefined ? {} : { size }),
    ...(quality === undefined ? {} : { quality }),
    count,
  })
}

/** A field of a JSON or multipart body, as text. */
export function fieldOf(
  call: Pick<AdmittedCall, 'body' | 'form'>,
  name: string,
): string | undefined {
  const value = call.body?.[name]
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  const part = call.form?.find((candidate) => candidate.name === name)
  return part && 'value' in part ? part.value : undefined
}

function promptTokensOf(call: AdmittedCall, promptEstimate: number): number {
  if (call.operation === 'audio.speech')
    return countSpeech(fieldOf(call, 'input') ?? '', call.requestedModel)
  return promptEstimate
}

const limitFields = ['max_completion_tokens', 'max_tokens', 'max_output_tokens'] as const
const answering = new Set(['chat', 'completions', 'responses.compact'])

/** The client's limit for the answer in tokens; 0 for operations whose answer has no tokens. */
function answerTokensOf(call: Pick<AdmittedCall, 'operation' | 'body'>): number {
  if (!answering.has(call.operation) || !call.body) return 0
  for (const name of limitFields) {
    const value = call.body[name]
    if (typeof value === 'number' && value > 0) return value
  }
  const config = geminiConfigOf(call.body)
  return Math.max(0, ...numbersIn(config, ['maxOutputTokens', 'max_output_tokens']))
}

/** How many answers the client asks for, each up to the limit: choices, and prompts in one call. */
function answersOf({ operation, body }: Pick<AdmittedCall, 'operation' | 'body'>): number {
  if (!answering.has(operation) || !body) return 1
  const choices = Math.max(
    1,
    ...numbersIn(body, ['n', 'best_of']),
    ...numbersIn(geminiConfigOf(body), ['candidateCount', 'candidate_count']),
  )
  return choices * (operation === 'completions' ? promptsIn(body['prompt']) : 1)
}

/** A list of texts, or of lists of tokens; a list of tokens is one prompt. */
function promptsIn(prompt: unknown): number {
  const isList = Array.isArray(prompt) && typeof prompt[0] !== 'number'
  return isList ? Math.max(1, prompt.length) : 1
}

function geminiConfigOf(body: JsonObject): JsonObject {
  const config = body['generationConfig'] ?? body['generation_config']
  return isObject(config) ? config : {}
}

function numbersIn(holder: JsonObject, names: readonly string[]): number[] {
  return names.map((name) => holder[name]).filter((value) => typeof value === 'number')
}
