import { isObject, type AttemptContext, type Body } from '#core'
import { compact, without } from '#adapter-kit'

/** Sizes are pixels of their own; the words for formats differ. Source: platform.minimax.io, "Image generation". */
export function toImages(body: Body): Body {
  const size = /^(\d+)x(\d+)$/.exec(typeof body.size === 'string' ? body.size : '')
  return compact({
    ...without(body, 'size', 'response_format', 'quality', 'style', 'user'),
    width: body.width ?? (size ? Number(size[1]) : undefined),
    height: body.height ?? (size ? Number(size[2]) : undefined),
    response_format: body.response_format === 'b64_json' ? 'base64' : 'url',
  })
}

export function fromImages(body: Body, { now }: AttemptContext): Body {
  const data = isObject(body.data) ? body.data : {}
  const urls = Array.isArray(data.image_urls) ? (data.image_urls as unknown[]) : []
  const texts = Array.isArray(data.image_base64) ? (data.image_base64 as unknown[]) : []
  return {
    created: Math.floor(now().getTime() / 1000),
    data: [...urls.map((url) => ({ url })), ...texts.map((text) => ({ b64_json: text }))],
  }
}
