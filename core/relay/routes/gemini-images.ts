import type { FastifyReply, FastifyRequest } from 'fastify'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { faultyNumber } from '../intake/check-counts.ts'
import { readGemini } from '../intake/read-gemini.ts'
import { relay } from '../relay.ts'
import type { ReadCall } from '../call/relay-call.ts'
import type { CallDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'

/** `models/{model}:predict`, with which Google's clients draw pictures, served as image generation by any upstream. */
export async function answerGeminiImages(
  request: FastifyRequest,
  reply: FastifyReply,
  model: string,
  deps: CallDeps,
): Promise<void> {
  const { body: sent } = readGemini(request, model)
  const [first] = Array.isArray(sent['instances']) ? (sent['instances'] as unknown[]) : []
  const prompt = isObject(first) ? first['prompt'] : undefined
  const parameters = isObject(sent['parameters']) ? sent['parameters'] : {}
  const body: JsonObject = { model, prompt, ...parametersOf(parameters, model) }
  const fault =
    typeof prompt === 'string' && prompt !== ''
      ? faultyNumber('parameters.sampleCount', parameters['sampleCount'], 'answers')
      : relayErrors.invalid({ reason: 'instances[0].prompt is required' }, { field: 'instances' })
  const input: ReadCall = {
    fault,
    operation: 'images.generations',
    dialect: 'gemini',
    requestedModel: model,
    isStream: false,
    bytes: Buffer.from(JSON.stringify(body)),
    body,
    form: undefined,
    includeUsage: false,
    writeAnswer: predictions,
  }
  await relay(input, reply, deps)
}

/** The pixel sizes for Imagen's aspect ratios; for any other ratio the model chooses. */
const sizes: ReadonlyMap<unknown, string> = new Map([
  ['1:1', '1024x1024'],
  ['9:16', '1024x1792'],
  ['16:9', '1792x1024'],
  ['4:3', '1536x1024'],
  ['3:4', '1024x1536'],
])

function parametersOf(parameters: JsonObject, model: string): JsonObject {
  const { sampleCount, aspectRatio } = parameters
  const size = sizes.get(aspectRatio)
  return {
    ...(sampleCount === undefined || sampleCount === null ? {} : { n: sampleCount }),
    ...(size === undefined ? {} : { size }),
    // OpenAI's newer image models always return bytes, and refuse the field.
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
