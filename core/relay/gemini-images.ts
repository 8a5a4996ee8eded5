import type { FastifyReply, FastifyRequest } from 'fastify'
import { isObject, type JsonObject } from '../contract/json.ts'
import { readObject } from './read-input.ts'
import { relay } from './relay.ts'
import type { RelayInput } from './relay-call.ts'
import type { RelayDeps } from './relay-deps.ts'
import { relayErrors } from './relay-errors.ts'
import { callerOf } from './routes.ts'

/** `models/{model}:predict`, by which Google's clients draw, served as a generation of pictures by any upstream. */
export async function answerGeminiImages(
  request: FastifyRequest,
  reply: FastifyReply,
  model: string,
  deps: RelayDeps,
): Promise<void> {
  const sent = readObject(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
  const [first] = Array.isArray(sent['instances']) ? (sent['instances'] as unknown[]) : []
  const prompt = isObject(first) ? first['prompt'] : undefined
  const fault =
    typeof prompt === 'string' && prompt !== ''
      ? undefined
      : relayErrors.invalid({ reason: 'instances[0].prompt is required' }, { field: 'instances' })
  const body: JsonObject = { model, prompt, ...parametersOf(sent['parameters'], model) }
  const input: RelayInput = {
    fault,
    operation: 'images.generations',
    dialect: 'gemini',
    model,
    isStream: false,
    bytes: Buffer.from(JSON.stringify(body)),
    body,
    form: undefined,
    includeUsage: false,
    writeAnswer: predictions,
  }
  await relay(input, callerOf(request), request, reply, deps)
  if (!reply.sent) reply.hijack()
}

/** The sizes that stand for Imagen's ratios; others are left to the model. */
const sizes: Readonly<Record<string, string>> = {
  '1:1': '1024x1024',
  '9:16': '1024x1792',
  '16:9': '1792x1024',
  '4:3': '1536x1024',
  '3:4': '1024x1536',
}

function parametersOf(parameters: unknown, model: string): JsonObject {
  if (!isObject(parameters)) return {}
  const { sampleCount, aspectRatio } = parameters
  const size = typeof aspectRatio === 'string' ? sizes[aspectRatio] : undefined
  return {
    ...(typeof sampleCount === 'number' ? { n: sampleCount } : {}),
    ...(size === undefined ? {} : { size }),
    // The other models of OpenAI give bytes always, and refuse the field.
    ...(model.startsWith('dall-e') ? { response_format: 'b64_json' } : {}),
  }
}

function predictions(answer: JsonObject): JsonObject {
  const data: unknown[] = Array.isArray(answer['data']) ? answer['data'] : []
  return {
    predictions: data.filter(isObject).map(({ b64_json: bytes, url, revised_prompt: prompt }) => ({
      mimeType: 'image/png',
      ...(bytes === undefined ? { gcsUri: url } : { bytesBase64Encoded: bytes }),
      ...(prompt === undefined ? {} : { prompt }),
    })),
  }
}
