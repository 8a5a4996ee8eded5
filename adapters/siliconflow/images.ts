import type { AttemptContext, Body } from '#core'
import { renamed } from '#adapter-kit'

/** A field of SiliconFlow's own that the client sends wins over OpenAI's. */
export function toImages(body: Body): Body {
  return renamed(renamed(body, 'size', 'image_size'), 'n', 'batch_size')
}

/** The pictures stand in `images`, in newer versions in `data` too. */
export function fromImages(body: Body, { now }: AttemptContext): Body {
  const { images, ...rest } = body
  return {
    ...rest,
    created: body.created ?? Math.floor(now().getTime() / 1000),
    data: body.data ?? images ?? [],
  }
}
