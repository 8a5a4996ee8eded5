// Reads what the relay must know from the bytes of a request. Checks only what the gateway itself reads.
import type { FastifyRequest } from 'fastify'
import type { OperationName } from '../../contract/adapter.ts'
import type { FormPart } from '../../contract/http-client.ts'
import type { ChatDialect } from '../../contract/dialect.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { OptionReader } from '../../contract/adapter.ts'
import { readMeasuredJson } from '../../http/bodies/read-json.ts'
import { faultyCount, faultyFormCount } from './check-counts.ts'
import {
  boundaryOf,
  excessOf,
  type Excess,
  formTypeOf,
  MOST_HEAD_BYTES,
} from '../../net/multipart.ts'
import { hidesTooMuch, SHORT_JSON } from '../../wire/bounded-json.ts'
import { mediaTypeOf } from '../../wire/media-type.ts'
import { refuseFormNames, refuseNul, refuseSpellings } from './known-fields.ts'
import type { ReadCall } from '../call/relay-call.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { formFields } from './form-fields.ts'
import { repeatedKey } from './repeated-keys.ts'
import { isOfTranscripts } from '../call/operation-kinds.ts'
import { checkModelName } from './model-name.ts'

export interface RouteShape {
  operation: OperationName
  dialect: ChatDialect
  /** The model to use if the body names none. */
  defaultModel?: string
  isMultipart?: boolean
}

/** The most parts of a form. Sixteen images and every known field make about sixty. */
const MOST_PARTS = 500

const invalid = (field: string, en: string) => relayErrors.invalid({ reason: en }, { field })

/** What can be read of a request. `fault` says what is wrong with the rest of it; it is reported after the checks of
 *  the model.
 *  @throws relay.invalid_request, request.malformed_json */
export async function readInput(
  request: FastifyRequest,
  shape: RouteShape,
  options: OptionReader,
  countFields: readonly string[] = [],
): Promise<ReadCall> {
  const bytes = bytesOf(request)
  if (shape.isMultipart && !isJson(request))
    return multipartInput(request, shape, bytes, countFields)
  const sent = readObject(bytes, { isConverted: !listed.has(shape.operation) })
  const { body, fallbacks } = shape.operation === 'chat' ? readFallbacks(sent) : { body: sent }
  const model = modelOf(body['model'], shape)
  const fault =
    (isOfTranscripts(shape.operation)
      ? invalid('file', 'file is required: send it in a form (multipart/form-data)')
      : undefined) ??
    checks[shape.operation]?.(body, shape) ??
    faultyCount(body, shape.operation, countFields)
  const filled =
    shape.dialect === 'anthropic-messages' && shape.operation === 'chat'
      ? withMaxTokens(body, model, options)
      : body
  return {
    operation: shape.operation,
    dialect: shape.dialect,
    requestedModel: model,
    fault,
    isStream: body['stream'] === true || body['stream_format'] === 'sse',
    bytes:
      filled === sent && body['model'] === model
        ? bytes
        : Buffer.from(JSON.stringify({ ...filled, model })),
    body: body['model'] === model ? filled : { ...filled, model },
    form: undefined,
    fallbacks,
    includeUsage:
      isObject(body['stream_options']) && body['stream_options']['include_usage'] === true,
  }
}

/** The body as it came; empty where there is none. */
export function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

/** Their bodies are long lists of texts, in which nobody looks for JSON. */
const listed: ReadonlySet<OperationName> = new Set(['embeddings', 'moderations', 'rerank'])

/** Parses a body and makes sure that every field has one name and one value. `isConverted`: JSON in its texts may be read, too.
 *  @throws relay.invalid_request, request.malformed_json */
export function readObject(bytes: Buffer, { isConverted = true } = {}): JsonObject {
  if (bytes.length === 0)
    throw invalid('body', 'The request body is empty; a JSON object is expected')
  const { value: body, members } = readMeasuredJson(bytes)
  if (!isObject(body)) throw invalid('body', 'The request body must be a JSON object')
  if (isConverted && bytes.length > SHORT_JSON) refuseHidden(body)
  const repeated = repeatedKey(bytes, body, members)
  if (repeated !== undefined) {
    const name = repeated.slice(0, LONGEST_NAME_SHOWN)
    throw invalid(name, `${name} is given more than once`)
  }
  refuseSpellings(body)
  if (bytes.includes(ESCAPED_NUL)) refuseNul(body)
  return body
}

/** @throws relay.invalid_request */
export function refuseHidden(body: JsonObject): void {
  if (hidesTooMuch(body)) throw invalid('body', 'The JSON in the texts of the body holds too much')
}

const LONGEST_NAME_SHOWN = 100
/** NUL as JSON writes it; a JSON text cannot contain it otherwise. Searched without the backslash, because searching a
 *  text with many backslashes takes five times as long. */
const ESCAPED_NUL = Buffer.from('u0000')
const MOST_FALLBACKS = 10

/** Takes `models` out of the body: the models to try after `model`, or instead of it. Only the gateway reads the field,
 *  and upstreams would refuse it. */
function readFallbacks(sent: JsonObject): { body: JsonObject; fallbacks?: string[] } {
  if (sent['models'] === undefined || sent['models'] === null) return { body: sent }
  const { models, ...rest } = sent
  const isList =
    Array.isArray(models) && models.every((name) => typeof name === 'string' && name !== '')
  if (!isList || models.length > MOST_FALLBACKS)
    throw invalid('models', `models must be a list of at most ${MOST_FALLBACKS} model names`)
  const names = models as string[]
  const model = rest['model'] ?? names[0]
  const fallbacks = [...new Set(names)].filter((name) => name !== model)
  return { body: model === undefined ? rest : { ...rest, model }, fallbacks }
}

function isJson(request: FastifyRequest): boolean {
  return !mediaTypeOf(request.headers).includes('multipart/form-data')
}

function modelOf(value: unknown, shape: RouteShape): string {
  const model = value ?? shape.defaultModel
  checkModelName(model)
  return model
}

type Check = (body: JsonObject, shape: RouteShape) => Error | undefined

const checks: Partial<Record<OperationName, Check>> = {
  chat: checkChat,
  count_tokens: (body) => nonEmptyList(body, 'messages'),
  completions: (body) =>
    body['prompt'] === undefined || body['prompt'] === null
      ? invalid('prompt', 'prompt is required')
      : undefined,
  embeddings: (body) => required(body, 'input'),
  moderations: (body) => required(body, 'input'),
  decisions: (body) => required(body, 'input') ?? nonEmptyList(body, 'questions'),
  'images.generations': (body) => requiredText(body, 'prompt') ?? checkSize(body),
  'images.edits': (body) => requiredText(body, 'prompt') ?? checkSize(body),
  'audio.speech': (body) => requiredText(body, 'input'),
  'audio.transcriptions': noSoundElsewhere,
  'audio.translations': noSoundElsewhere,
  rerank: (body) => requiredText(body, 'query') ?? nonEmptyList(body, 'documents'),
  'responses.compact': (body) => required(body, 'input'),
  'responses.input_tokens': inputOfResponse,
}

function checkChat(body: JsonObject, shape: RouteShape): Error | undefined {
  if (
    body['stream'] !== undefined &&
    body['stream'] !== null &&
    typeof body['stream'] !== 'boolean'
  )
    return invalid('stream', 'stream must be true or false')
  const fault = checkSearch(body)
  if (fault) return fault
  switch (shape.dialect) {
    case 'openai-responses':
      return inputOfResponse(body)
    case 'gemini':
      return nonEmptyList(body, 'contents')
    default:
      return nonEmptyList(body, 'messages')
  }
}

/** What a response continues, or a stored prompt, may stand for the input. */
function inputOfResponse(body: JsonObject): Error | undefined {
  return body['previous_response_id'] || body['conversation'] || body['prompt']
    ? undefined
    : required(body, 'input')
}

const contextSizes: ReadonlySet<unknown> = new Set(['low', 'medium', 'high', undefined, null])

function checkSearch({ web_search_options: search }: JsonObject): Error | undefined {
  if (!isObject(search) || contextSizes.has(search['search_context_size'])) return undefined
  return invalid('web_search_options', 'search_context_size must be low, medium or high')
}

/** The sound in `file` is what is measured and charged, so a body that names sound by URL is refused. */
function noSoundElsewhere(body: JsonObject): Error | undefined {
  const name = Object.keys(body).find((key) => /^(file_?)?ur[li]$/i.test(key))
  return name === undefined
    ? undefined
    : invalid(name, `${name} is not served: send the sound itself as file`)
}

function required(body: JsonObject, name: string): Error | undefined {
  const value = body[name]
  const isEmpty =
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  return isEmpty ? invalid(name, `${name} is required`) : undefined
}

function requiredText(body: JsonObject, name: string): Error | undefined {
  return typeof body[name] === 'string' && body[name] !== ''
    ? undefined
    : invalid(name, `${name} is required and must be a string`)
}

function nonEmptyList(body: JsonObject, name: string): Error | undefined {
  const value = body[name]
  if (!Array.isArray(value)) return invalid(name, `${name} is required and must be a list`)
  if (value.length === 0) return invalid(name, `${name} must not be empty`)
  const isBroken = name === 'messages' && value.some((entry) => !isObject(entry))
  return isBroken ? invalid(name, `every entry of ${name} must be an object`) : undefined
}

const smallSizes: readonly string[] = ['256x256', '512x512', '1024x1024']
const dalleSizes: ReadonlyMap<string, readonly string[]> = new Map([
  ['dall-e', smallSizes],
  ['dall-e-2', smallSizes],
  ['dall-e-3', ['1024x1024', '1024x1792', '1792x1024']],
])

function checkSize(body: JsonObject): Error | undefined {
  const { size, model } = body
  if (typeof size !== 'string') return undefined
  if (size.includes('×'))
    return invalid('size', 'size must be written with the letter x, as in 1024x1024')
  const known = dalleSizes.get(typeof model === 'string' ? model : 'dall-e')
  return known && !known.includes(size)
    ? invalid('size', `size must be one of ${known.join(', ')}`)
    : undefined
}

/** Anthropic requires max_tokens. If the client left it out, the option claude.default_max_tokens sets it by model. */
function withMaxTokens(body: JsonObject, model: string, options: OptionReader): JsonObject {
  if (typeof body['max_tokens'] === 'number') return body
  const defaults = new Map(
    Object.entries(options.get<Record<string, number>>('claude.default_max_tokens')),
  )
  return { ...body, max_tokens: defaults.get(model) ?? defaults.get('default') ?? 8192 }
}

async function multipartInput(
  request: FastifyRequest,
  shape: RouteShape,
  bytes: Buffer,
  countFields: readonly string[],
): Promise<ReadCall> {
  const form = await readForm(request, bytes)
  refuseFormNames(form)
  const text = (name: string) => {
    const part = form.find((candidate) => candidate.name === name)
    return part && 'value' in part ? part.value : undefined
  }
  const needsFile = shape.operation === 'images.edits' ? ['image', 'image[]'] : ['file']
  const hasFile = form.some((part) => 'data' in part && needsFile.includes(part.name))
  const fault = hasFile
    ? (checks[shape.operation]?.(formFields(form), shape) ??
      faultyFormCount(form, shape.operation, countFields))
    : invalid(needsFile[0] ?? 'file', `${needsFile[0]} is required`)
  return {
    operation: shape.operation,
    dialect: shape.dialect,
    requestedModel: modelOf(text('model'), shape),
    fault,
    isStream: text('stream') === 'true',
    bytes,
    body: undefined,
    form,
    includeUsage: false,
  }
}

const excesses: Readonly<Record<Excess, string>> = {
  parts: `The form holds more than ${MOST_PARTS} parts`,
  headers: `The form holds a part whose headers are longer than ${MOST_HEAD_BYTES} bytes`,
}

async function readForm({ headers }: FastifyRequest, bytes: Buffer): Promise<FormPart[]> {
  const boundary = boundaryOf(headers['content-type'] ?? '')
  if (boundary === undefined) throw unreadableForm()
  const excess = excessOf(bytes, boundary, MOST_PARTS)
  if (excess !== undefined) throw invalid('body', excesses[excess])
  try {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': formTypeOf(boundary) },
    }).formData()
    return await Promise.all(
      [...form].map(
        async ([name, value]): Promise<FormPart> =>
          typeof value === 'string'
            ? { name, value }
            : {
                name,
                filename: value.name,
                contentType: value.type || 'application/octet-stream',
                data: new Uint8Array(await value.arrayBuffer()),
              },
      ),
    )
  } catch (cause) {
    throw unreadableForm(cause)
  }
}

function unreadableForm(cause?: unknown): Error {
  return relayErrors.invalid(
    { reason: 'The multipart body cannot be read' },
    { field: 'body', cause },
  )
}
