/** How the bytes of each kind begin, in base64. */
const BEGINNINGS: readonly [string, string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
]

/** The type of a picture by its bytes. OpenAI looks at these, and programs write what they like (`image/jpg`, one type for
 *  all); Claude refuses a picture of another type than is written. Other types are returned as they are. */
export function imageType(mediaType: string, data: string): string {
  if (!mediaType.startsWith('image/')) return mediaType
  const [, found] = BEGINNINGS.find(([beginning]) => data.startsWith(beginning)) ?? []
  if (found !== undefined) return found
  if (isWebp(data)) return 'image/webp'
  return mediaType === 'image/jpg' ? 'image/jpeg' : mediaType
}

function isWebp(data: string): boolean {
  return (
    data.startsWith('UklGR') &&
    Buffer.from(data.slice(0, 16), 'base64').toString('latin1', 8) === 'WEBP'
  )
}
