// Operations of /ai/run/{model}, whose bodies and answers are each model's own behind one envelope.
// Source: developers.cloudflare.com/workers-ai, pages of the models.
import {
  asText,
  isObject,
  type BinaryAnswer,
  type Body,
  type FormPart,
  type JsonObject,
} from '#core'
import { compact } from '#adapter-kit'

export function toCompletion({ prompt, max_tokens, stream, temperature }: Body): Body {
  return {
    prompt: Array.isArray(prompt) ? prompt.join('\n') : prompt,
    ...(max_tokens === undefined ? {} : { max_tokens }),
    ...(stream === undefined ? {} : { stream }),
    ...(temperature === undefined ? {} : { temperature }),
  }
}

export function fromCompletion(body: unknown, model: string, createdSeconds: number): Body {
  const { response, usage } = resultOf(body)
  return {
    ...completionHead(model, createdSeconds),
    choices: [{ index: 0, text: asText(response), logprobs: null, finish_reason: 'stop' }],
    ...(isObject(usage) ? { usage } : {}),
  }
}

/** An event of the stream is `{response, p}`, where `p` is padding. */
export function fromCompletionEvent(data: Body, model: string, createdSeconds: number): Body {
  return {
    ...completionHead(model, createdSeconds),
    choices: [{ index: 0, text: asText(data['response']), logprobs: null, finish_reason: null }],
    ...(isObject(data['usage']) ? { usage: data['usage'] } : {}),
  }
}

function completionHead(model: string, createdSeconds: number): JsonObject {
  return { id: `cmpl-${createdSeconds}`, object: 'text_completion', created: createdSeconds, model }
}

/** Sizes are two numbers; every model draws one image a call. */
export function toImage(body: Body): Body {
  const { prompt, negative_prompt, num_steps, steps, seed, size } = body
  const [width, height] = typeof size === 'string' ? size.split('x').map(Number) : []
  return compact({
    prompt,
    negative_prompt,
    num_steps,
    steps,
    seed,
    width: width || body['width'],
    height: height || body['height'],
  })
}

export function fromImage(body: unknown, createdSeconds: number): Body {
  return imageAnswer(asText(resultOf(body)['image']), createdSeconds)
}

export function fromImageBytes({ data }: BinaryAnswer, createdSeconds: number): Body {
  return imageAnswer(Buffer.from(data).toString('base64'), createdSeconds)
}

function imageAnswer(base64: string, createdSeconds: number): Body {
  return { created: createdSeconds, data: base64 === '' ? [] : [{ b64_json: base64 }] }
}

/** The first whisper takes the bare bytes, the turbo model JSON. */
export function toTranscription(parts: readonly FormPart[], model: string): Body | Uint8Array {
  const file = parts.find((part) => part.name === 'file' && 'data' in part)
  const data = file && 'data' in file ? file.data : new Uint8Array()
  if (!model.includes('turbo')) return data
  const language = fieldOf(parts, 'language')
  const prompt = fieldOf(parts, 'prompt')
  return {
    audio: Buffer.from(data).toString('base64'),
    ...(language === undefined ? {} : { language }),
    ...(prompt === undefined ? {} : { initial_prompt: prompt }),
  }
}

function fieldOf(parts: readonly FormPart[], name: string): string | undefined {
  const part = parts.find((candidate) => candidate.name === name)
  return part && 'value' in part ? part.value : undefined
}

export function fromTranscription(body: unknown): Body {
  return { text: asText(resultOf(body)['text']) }
}

function resultOf(body: unknown): JsonObject {
  const result = isObject(body) ? body['result'] : undefined
  return isObject(result) ? result : {}
}
