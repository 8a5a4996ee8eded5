// The API can reach only its own files and YouTube; all other files that a client names by URL are downloaded and sent along.
import type { AttemptContext, Body } from '../../contract/adapter.ts'
import { isObject } from '../../contract/json.ts'
import { imageType } from '../neutral/image-type.ts'
import { requestInvalid } from '../neutral/request-errors.ts'
import { checkMediaType } from './build-contents.ts'

const REACHABLE =
  /^(?:gs:|https:\/\/(?:www\.)?youtube\.com\/|https:\/\/youtu\.be\/|https:\/\/generativelanguage\.googleapis\.com\/)/

const MOST_IMAGES = 16

/** For converted bodies only: clients of this dialect know what the API can reach. Returns the same body if there is
 *  nothing to download.
 *  @throws request.invalid above `mostImages` in one content; -1 sets no limit */
export async function inlineGeminiFiles(
  body: Body,
  context: Pick<AttemptContext, 'clientDialect' | 'fetchFile'> &
    Partial<Pick<AttemptContext, 'variable'>>,
  mostImages = Number(context.variable?.('GEMINI_VISION_MAX_IMAGE_NUM') || MOST_IMAGES),
): Promise<Body> {
  if (context.clientDialect === 'gemini' || !Array.isArray(body.contents)) return body
  const contents = await Promise.all(
    body.contents.map(async (content: unknown) => {
      if (!isObject(content) || !Array.isArray(content.parts)) return content
      checkCount(content.parts, mostImages)
      const parts = await Promise.all(
        content.parts.map((part: unknown) => inlinePart(part, context)),
      )
      return { ...content, parts }
    }),
  )
  return { ...body, contents }
}

function checkCount(parts: readonly unknown[], most: number): void {
  const media = parts.filter(
    (part) => isObject(part) && (part.inlineData !== undefined || part.fileData !== undefined),
  )
  if (most >= 0 && media.length > most) {
    throw requestInvalid('messages', `this model takes at most ${most} images a message`)
  }
}

async function inlinePart(
  part: unknown,
  context: Pick<AttemptContext, 'fetchFile'>,
): Promise<unknown> {
  if (!isObject(part)) return part
  if (isObject(part.functionResponse) && Array.isArray(part.functionResponse.parts)) {
    const parts = await Promise.all(
      part.functionResponse.parts.map((inner: unknown) => inlinePart(inner, context)),
    )
    return { ...part, functionResponse: { ...part.functionResponse, parts } }
  }
  const uri = isObject(part.fileData) ? part.fileData.fileUri : undefined
  if (typeof uri !== 'string' || REACHABLE.test(uri)) return part
  const file = await context.fetchFile(uri)
  const data = Buffer.from(file.data).toString('base64')
  const mimeType = imageType(file.mediaType, data)
  checkMediaType(mimeType)
  const { fileData: _address, ...rest } = part
  return { ...rest, inlineData: { mimeType, data } }
}
