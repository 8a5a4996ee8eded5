import type { FastifyReply, FastifyRequest } from 'fastify'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { faultyNumber } from '../intake/check-counts.ts'
import { readGemini } from '../intake/read-gemini.ts'
import { relay } from '../relay.ts'
import type { ReadCall } from '../call/relay-call.ts'
import type { CallDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'

/** embedContent and batchEmbedContents, served as embeddings by any upstream; the answer is rewritten for the client. */
export async function answerGeminiEmbeddings(
  request: FastifyRequest,
  reply: FastifyReply,
  target: { model: string; isBatch: boolean },
  deps: CallDeps,
): Promise<void> {
  const { body } = readGemini(request, target.model)
  const entries = target.isBatch ? body['requests'] : [body]
  if (!Array.isArray(entries) || entries.length === 0)
    throw relayErrors.invalid(
      { reason: 'requests is required and must not be empty' },
      { field: 'requests' },
    )
  const openai: JsonObject = {
    model: target.model,
    input: entries.map(textOf),
    encoding_format: 'float',
    ...dimensionsOf(entries[0]),
    ...purposeOf(entries[0]),
  }
  const input: ReadCall = {
    fault: faultyNumber('outputDimensionality', openai['dimensions'], 'vector'),
    operation: 'embeddings',
    dialect: 'gemini',
    requestedModel: target.model,
    isStream: false,
    bytes: Buffer.from(JSON.stringify(openai)),
    body: openai,
    form: undefined,
    includeUsage: false,
    writeAnswer: (answer) => geminiAnswer(answer, target.isBatch),
  }
  await relay(input, reply, deps)
}

function textOf(entry: unknown): string {
  const content = isObject(entry) ? entry['content'] : undefined
  const parts = isObject(content) ? content['parts'] : undefined
  const texts = Array.isArray(parts)
    ? parts.map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    : []
  const text = texts.join('')
  if (text === '')
    throw relayErrors.invalid({ reason: 'content.parts[].text is required' }, { field: 'content' })
  return text
}

function dimensionsOf(entry: unknown): JsonObject {
  const size = isObject(entry)
    ? (entry['outputDimensionality'] ?? entry['output_dimensionality'])
    : undefined
  return size === undefined || size === null ? {} : { dimensions: size }
}

/** The purpose of the vectors; only Gemini upstreams get it (operations/operation-call.ts). */
function purposeOf(entry: unknown): JsonObject {
  if (!isObject(entry)) return {}
  const purpose = entry['taskType'] ?? entry['task_type']
  return typeof purpose === 'string' ? { task_type: purpose } : {}
}

function geminiAnswer(answer: JsonObject, isBatch: boolean): JsonObject {
  const data = Array.isArray(answer['data']) ? answer['data'] : []
  const vectors = data.map((entry) => ({ values: isObject(entry) ? entry['embedding'] : [] }))
  return isBatch ? { embeddings: vectors } : { embedding: vectors[0] ?? { values: [] } }
}
