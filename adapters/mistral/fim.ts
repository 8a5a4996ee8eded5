// Fill in the middle: the legacy text form of the code models. Source: docs.mistral.ai, API reference, "Fim Completion".
import { isObject, type AttemptContext, type Body, type JsonObject } from '#core'
import { editList, unsupportedParameter } from '#adapter-kit'
import { fromMistral } from './from-mistral.ts'

const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'suffix',
  'stream',
  'temperature',
  'top_p',
  'max_tokens',
  'min_tokens',
  'stop',
  'random_seed',
])

/** Fields that clients send by habit and that change nothing here. */
const HARMLESS: ReadonlySet<string> = new Set(['stream_options', 'n', 'best_of', 'echo'])

export function isFimModel(model: string): boolean {
  return model.startsWith('codestral') && !model.startsWith('codestral-embed')
}

export function toFim({ seed, ...body }: Body, { drop }: AttemptContext): Body {
  const fim: JsonObject = seed === undefined ? {} : { random_seed: seed }
  for (const [key, value] of Object.entries(body)) {
    if (KNOWN.has(key)) fim[key] = value
    else if (!HARMLESS.has(key) || isWish(value)) drop(key)
  }
  return { ...fim, prompt: onePrompt(body['prompt']) }
}

function isWish(value: unknown): boolean {
  return value === true || (typeof value === 'number' && value > 1)
}

/** @throws request.unsupported_parameter for several prompts or tokens */
function onePrompt(prompt: unknown): string {
  const only: unknown = Array.isArray(prompt) && prompt.length === 1 ? prompt[0] : prompt
  if (typeof only === 'string') return only
  throw unsupportedParameter('prompt', 'this model takes one text')
}

/** Answers and chunks have the shape of chat; clients of the text form read `text`. */
export function fromFim(body: Body): Body {
  if (!Array.isArray(body['choices'])) return body
  return { ...editList(fromMistral(body), 'choices', asText), object: 'text_completion' }
}

function asText({ index, message, delta, finish_reason: reason }: JsonObject): JsonObject {
  const output = isObject(message) ? message : isObject(delta) ? delta : {}
  return {
    index,
    text: typeof output['content'] === 'string' ? output['content'] : '',
    logprobs: null,
    finish_reason: reason ?? null,
  }
}
