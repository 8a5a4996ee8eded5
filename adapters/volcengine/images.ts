import type { AttemptContext, Body, FormPart } from '#core'
import { dataUrl } from '#adapter-kit'

/** Ark edits images by the path that makes them: JSON with the pictures as data URLs. Source: volcengine.com/docs/82379/1541523. */
export function toImageEdit(parts: readonly FormPart[], { model }: AttemptContext): Body {
  const body: Body = {}
  const images: string[] = []
  for (const part of parts) {
    if ('data' in part) {
      if (part.name.startsWith('image'))
        images.push(dataUrl(part.contentType, Buffer.from(part.data).toString('base64')))
    } else body[part.name] = part.name === 'n' ? Number(part.value) : part.value
  }
  return { ...body, model, image: images.length === 1 ? images[0] : images }
}
