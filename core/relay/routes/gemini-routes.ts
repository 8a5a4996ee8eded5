import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { faultyGeminiCount } from '../intake/check-counts.ts'
import { answerGeminiEmbeddings } from './gemini-embeddings.ts'
import { answerTokenCount } from './count-tokens.ts'
import { answerGeminiImages } from './gemini-images.ts'
import { readGemini } from '../intake/read-gemini.ts'
import type { KeyCheck } from '../intake/key-check.ts'
import { relay } from '../relay.ts'
import type { ReadCall } from '../call/relay-call.ts'
import type { CallDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'

/** `/v1beta/models/{m}:{action}` and, for newer Google SDKs, `/v1/models/{m}:{action}`. */
export function geminiRoutes(app: FastifyInstance, deps: CallDeps, onRequest: KeyCheck): void {
  for (const path of ['/v1beta/models/*', '/v1/models/*']) {
    app.post<{ Params: { '*': string } }>(
      path,
      { config: { relay: { dialect: 'gemini' } }, onRequest },
      (request, reply) => act(request, reply, deps),
    )
  }
}

async function act(
  request: FastifyRequest<{ Params: { '*': string } }>,
  reply: FastifyReply,
  deps: CallDeps,
): Promise<unknown> {
  const { model, action } = splitPath(request.params['*'])
  switch (action) {
    case 'generateContent':
    case 'streamGenerateContent':
      return generate(request, reply, model, action === 'streamGenerateContent', deps)
    case 'countTokens':
      return countTokens(request, reply, model, deps)
    case 'embedContent':
    case 'batchEmbedContents':
      return answerGeminiEmbeddings(
        request,
        reply,
        { model, isBatch: action === 'batchEmbedContents' },
        deps,
      )
    case 'predict':
      return answerGeminiImages(request, reply, model, deps)
    default:
      throw relayErrors.notImplemented()
  }
}

/** The model may contain slashes, and colons before the last one. */
function splitPath(path: string): { model: string; action: string } {
  const colon = path.lastIndexOf(':')
  if (colon <= 0)
    throw relayErrors.invalid({ reason: 'The path must end in models/{model}:{action}' })
  return { model: path.slice(0, colon), action: path.slice(colon + 1) }
}

async function generate(
  request: FastifyRequest,
  reply: FastifyReply,
  model: string,
  isStream: boolean,
  deps: CallDeps,
): Promise<void> {
  const { body, bytes } = readGemini(request, model)
  const hasContents = Array.isArray(body['contents']) && body['contents'].length > 0
  const fault = hasContents
    ? faultyGeminiCount(body)
    : relayErrors.invalid(
        { reason: 'contents is required and must not be empty' },
        { field: 'contents' },
      )
  const input: ReadCall = {
    fault,
    operation: 'chat',
    dialect: 'gemini',
    requestedModel: model,
    isStream,
    bytes,
    body,
    form: undefined,
    includeUsage: true,
  }
  await relay(input, reply, deps)
}

/** All that has tokens; both spellings are the API's. */
const countedFields = [
  'contents',
  'systemInstruction',
  'system_instruction',
  'tools',
  'toolConfig',
  'tool_config',
] as const

/** Free of charge; `generateContentRequest` is the nested form. */
async function countTokens(
  request: FastifyRequest,
  reply: FastifyReply,
  model: string,
  deps: CallDeps,
): Promise<JsonObject> {
  const { body } = readGemini(request, model)
  const inner = isObject(body['generateContentRequest']) ? body['generateContentRequest'] : body
  if (!Array.isArray(inner['contents']))
    throw relayErrors.invalid({ reason: 'contents is required' }, { field: 'contents' })
  const given = countedFields.filter((name) => inner[name] !== undefined)
  const counted = Object.fromEntries(given.map((name) => [name, inner[name]]))
  const input = {
    operation: 'gemini.count_tokens',
    dialect: 'gemini',
    requestedModel: model,
    isStream: false,
    bytes: Buffer.alloc(0),
    body: counted,
    form: undefined,
    includeUsage: false,
  } as const
  return answerTokenCount(input, request, reply, deps)
}
