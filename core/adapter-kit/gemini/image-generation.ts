// Images of the Gemini models that draw, by generateContent. Source: ai.google.dev/gemini-api/docs, page "Image generation".
import type { Body } from '../../contract/adapter.ts'
import { UpstreamError } from '../../contract/errors.ts'
import { isObject } from '../../contract/json.ts'
import { promptBlocked } from '../../upstream-failures/client-error.ts'
import { unreadable } from '../../dialects/neutral/parsed-event.ts'
import { aspectRatioOf, noImages } from './imagen.ts'
import { parseAnswer } from '../../dialects/gemini/parse-answer.ts'

export function toImageGeneration(body: Body): Body {
  const aspectRatio = aspectRatioOf(body)
  return {
    contents: [{ role: 'user', parts: [{ text: body['prompt'] }] }],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      ...(aspectRatio === undefined ? {} : { imageConfig: { aspectRatio } }),
    },
  }
}

/** @throws UpstreamError for a blocked prompt or an answer without an image */
export function fromImageGeneration(body: unknown, createdSeconds: number): Body {
  if (!isObject(body)) throw unreadable()
  const events = parseAnswer(body)
  const images = events.filter((event) => event.type === 'image')
  if (images.length === 0) {
    const blocked = events.find((event) => event.type === 'blocked')
    throw new UpstreamError(
      blocked === undefined ? noImages() : promptBlocked(blocked.reason),
      'content',
    )
  }
  const usage = events.findLast((event) => event.type === 'usage')?.usage
  return {
    created: createdSeconds,
    data: images.map(({ data }) => ({ b64_json: data })),
    ...(usage === undefined
      ? {}
      : {
          usage: {
            input_tokens: usage.input,
            output_tokens: usage.output,
            total_tokens: usage.input + usage.output,
            output_tokens_details: { image_tokens: usage.outputImage },
          },
        }),
  }
}
