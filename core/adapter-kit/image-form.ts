import type { AttemptContext, Body } from '../contract/adapter.ts'
import type { FormPart } from '../contract/http-client.ts'
import { dataUrl } from '../dialects/neutral/media.ts'

/** An edit of pictures, sent as a form, for upstreams that take JSON: its fields, and its pictures as data URLs. Other files, such as a
 *  mask, are left out. */
export function readImageForm(
  parts: readonly FormPart[],
  { drop }: Pick<AttemptContext, 'drop'>,
): { fields: Body; images: string[] } {
  const fields: Body = {}
  const images: string[] = []
  for (const part of parts) {
    if (!('data' in part)) fields[part.name] = part.name === 'n' ? Number(part.value) : part.value
    else if (part.name.startsWith('image'))
      images.push(dataUrl(part.contentType, Buffer.from(part.data).toString('base64')))
    else drop(part.name)
  }
  return { fields, images }
}
