// Image generation by Imagen models, `:predict`. Source: ai.google.dev/gemini-api/docs, page "Imagen".
import type { Body } from '../../contract/adapter.ts'
import { UpstreamError, type RawFailure } from '../../contract/errors.ts'
import { objectOf, objectsOf, type JsonObject } from '../../contract/json.ts'

/** Sizes that OpenAI's clients send, by the ratio that comes nearest. */
const RATIOS: ReadonlyMap<unknown, string> = new Map([
  ['1024x1024', '1:1'],
  ['1792x1024', '16:9'],
  ['1024x1792', '9:16'],
  ['1536x1024', '4:3'],
  ['1024x1536', '3:4'],
])

/** The client's own ratio, else the one of its size. */
export function aspectRatioOf({ size, aspect_ratio: ratio }: Body): unknown {
  return ratio ?? RATIOS.get(size)
}

export function toImagen(body: Body): Body {
  const { prompt, n } = body
  const aspectRatio = aspectRatioOf(body)
  return {
    instances: [{ prompt }],
    parameters: {
      sampleCount: n ?? 1,
      ...(aspectRatio === undefined ? {} : { aspectRatio }),
      personGeneration: 'allow_adult',
    },
  }
}

/** @throws UpstreamError when every image was filtered */
export function fromImagen(body: unknown, createdSeconds: number): Body {
  const predictions = objectsOf(objectOf(body)['predictions'])
  const data = predictions.flatMap(({ bytesBase64Encoded: image }): JsonObject[] =>
    typeof image === 'string' ? [{ b64_json: image }] : [],
  )
  if (data.length > 0) return { created: createdSeconds, data }
  const reason = predictions
    .map(({ raiFilteredReason: why }) => why)
    .find((why) => typeof why === 'string')
  throw new UpstreamError(noImages(reason), 'content')
}

export function noImages(message = 'The model gave no image.'): RawFailure {
  return { status: 200, message, code: 'no_images', isKnownShape: true }
}
