import type { AttemptContext, Body, FormPart } from '#core'
import { readImageForm } from '#adapter-kit'

/** Ark edits images by the path that makes them: JSON with the pictures as data URLs. Source: volcengine.com/docs/82379/1541523. */
export function toImageEdit(parts: readonly FormPart[], context: AttemptContext): Body {
  const { fields, images } = readImageForm(parts, context)
  return { ...fields, model: context.model, image: images.length === 1 ? images[0] : images }
}
