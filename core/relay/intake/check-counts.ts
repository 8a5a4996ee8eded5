// Numbers from the client that multiply a price or a reservation: they must be whole and in range, else the call is refused
// before anything is priced. Code that computes prices may rely on this.
import type { OperationName } from '../../contract/adapter.ts'
import type { FormPart } from '../../contract/http-client.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { formFields } from './form-fields.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { isOfMedia, isOfPictures } from '../call/operation-kinds.ts'

interface Range {
  least: number
  most: number
}

/** 2^30 - 1, the limit that clients of this family of gateways expect. */
const tokens: Range = { least: 0, most: 1_073_741_823 }
/** OpenAI's chat allows at most 128 choices; no service draws more pictures in one call. */
const answers: Range = { least: 1, most: 128 }
const pixels: Range = { least: 1, most: 65_536 }
const seconds: Range = { least: 1, most: 86_400 }
/** The dimensions of an embedding. */
const vector: Range = { least: 1, most: 65_536 }

const kinds = { answers, vector } as const

const everywhere: readonly (readonly [string, Range])[] = [
  ['n', answers],
  ['best_of', { ...answers, least: 0 }],
  ['max_tokens', tokens],
  ['max_completion_tokens', tokens],
  ['max_output_tokens', tokens],
  ['dimensions', vector],
]

/** Fields of pictures, sound and video; other operations give these names other meanings. */
const ofMedia: readonly (readonly [string, Range])[] = [
  ['width', pixels],
  ['height', pixels],
  ['seconds', seconds],
  ['duration', seconds],
  ['partial_images', { least: 0, most: 128 }],
]

/** Fields of `generationConfig`, in either spelling. */
const ofGemini: readonly (readonly [string, Range])[] = [
  ['maxOutputTokens', tokens],
  ['max_output_tokens', tokens],
  ['candidateCount', answers],
  ['candidate_count', answers],
]

const configNames = ['generationConfig', 'generation_config'] as const

type Fault = Error | undefined

/** What is wrong with the numbers of a JSON body. `countFields` are the paths of fields that ask for several answers. */
export function faultyCount(
  body: JsonObject,
  operation: OperationName,
  countFields: readonly string[] = [],
): Fault {
  return (
    faultyAmong(everywhere, body, isWithin) ??
    (isOfMedia(operation) ? faultyMedia(body, operation, countFields, isWithin) : undefined)
  )
}

/** The same for a form, whose numbers are written in digits. */
export function faultyFormCount(
  form: readonly FormPart[],
  operation: OperationName,
  countFields: readonly string[] = [],
): Fault {
  const fields = formFields(form)
  return (
    faultyAmong(everywhere, fields, isDigitsWithin) ??
    faultyMedia(fields, operation, countFields, isDigitsWithin)
  )
}

/** `generationConfig` of a Gemini body. */
export function faultyGeminiCount(body: JsonObject): Fault {
  for (const config of configNames) {
    const inner = body[config]
    const fault = isObject(inner) && faultyAmong(ofGemini, inner, isWithin, `${config}.`)
    if (fault) return fault
  }
  return undefined
}

/** What is wrong with one number. `name` is the client dialect's name for it. */
export function faultyNumber(name: string, value: unknown, kind: keyof typeof kinds): Fault {
  return value === undefined || value === null || isWithin(value, kinds[kind])
    ? undefined
    : refused(name, kinds[kind])
}

/** How many pictures a call may return: the largest value of `n` and fields like it. The body has been checked before. */
export function countAsked(
  { body, form }: { body: JsonObject | undefined; form: readonly FormPart[] | undefined },
  countFields: readonly string[],
): number {
  let most = 1
  for (const path of ['n', ...countFields]) {
    const part = form?.find(({ name }) => name === path)
    const value = Number(body ? valueAt(body, path) : part && 'value' in part ? part.value : 1)
    if (isWithin(value, answers)) most = Math.max(most, value)
  }
  return most
}

type IsRight = (value: unknown, range: Range) => boolean

function faultyAmong(
  fields: readonly (readonly [string, Range])[],
  body: JsonObject,
  isRight: IsRight,
  place = '',
): Fault {
  for (const [name, range] of fields) {
    const value = body[name]
    if (value !== undefined && value !== null && !isRight(value, range))
      return refused(place + name, range)
  }
  return undefined
}

function faultyMedia(
  body: JsonObject,
  operation: OperationName,
  countFields: readonly string[],
  isRight: IsRight,
): Fault {
  // Some video services accept seconds as a string in JSON.
  const isRightOrDigits: IsRight = (value, range) =>
    isRight(value, range) || isDigitsWithin(value, range)
  const fault = faultyAmong(ofMedia, body, isRightOrDigits)
  if (fault || !isOfPictures(operation)) return fault
  for (const path of countFields) {
    const value = valueAt(body, path)
    if (value !== undefined && value !== null && !isRight(value, answers))
      return refused(path, answers)
  }
  return faultySize(body)
}

const sizeNames = ['size', 'image_size'] as const
/** Words and ratios such as `auto`, `2K` and `16:9`. */
const sizeWord = /^[\w.:-]{1,32}$/
/** `1024x1024`; some services write `*`. */
const pixelSize = /^(\d+)[x*](\d+)$/i
const looksLikePixels = /\d[x*]/i

function faultySize(body: JsonObject): Fault {
  for (const name of sizeNames) {
    const value = body[name]
    if (value !== undefined && value !== null && !isSize(value))
      return relayErrors.invalid(
        { reason: `${name} is invalid: a size such as 1024x1024 is expected` },
        { field: name },
      )
  }
  return undefined
}

function isSize(value: unknown): boolean {
  if (typeof value !== 'string') return false
  if (!looksLikePixels.test(value)) return sizeWord.test(value)
  const [, width, height] = pixelSize.exec(value) ?? []
  return isDigitsWithin(width, pixels) && isDigitsWithin(height, pixels)
}

function valueAt(body: JsonObject, path: string): unknown {
  let value: unknown = body
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined
  return value
}

function isWithin(value: unknown, { least, most }: Range): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most
}

function isDigitsWithin(value: unknown, range: Range): boolean {
  return typeof value === 'string' && /^\d{1,10}$/.test(value) && isWithin(Number(value), range)
}

function refused(field: string, { least, most }: Range): Error {
  return relayErrors.invalid(
    { reason: `${field} is invalid: a whole number from ${least} to ${most} is expected` },
    { field },
  )
}
