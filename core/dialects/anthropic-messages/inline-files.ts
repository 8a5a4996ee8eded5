// Claude on Bedrock and Vertex accepts no URLs; Anthropic's own API does.
import type { AttemptContext, Body } from '../../contract/adapter.ts'
import { isObject } from '../../contract/json.ts'
import { imageType } from '../neutral/image-type.ts'

/** Downloads what a body names by URL. Returns the same body when there is nothing to download. */
export async function inlineAnthropicFiles(
  body: Body,
  context: Pick<AttemptContext, 'fetchFile'>,
): Promise<Body> {
  if (!Array.isArray(body.messages)) return body
  const messages = await Promise.all(
    body.messages.map(async (message: unknown) => {
      if (!isObject(message) || !Array.isArray(message.content)) return message
      return { ...message, content: await inlineBlocks(message.content, context) }
    }),
  )
  return { ...body, messages }
}

async function inlineBlocks(
  blocks: readonly unknown[],
  context: Pick<AttemptContext, 'fetchFile'>,
): Promise<unknown[]> {
  return Promise.all(
    blocks.map(async (block) => {
      if (!isObject(block)) return block
      if (block.type === 'tool_result' && Array.isArray(block.content)) {
        return { ...block, content: await inlineBlocks(block.content, context) }
      }
      const url =
        isObject(block.source) && block.source.type === 'url' ? block.source.url : undefined
      if (typeof url !== 'string') return block
      const file = await context.fetchFile(url)
      const data = Buffer.from(file.data).toString('base64')
      const mediaType = imageType(file.mediaType, data)
      return { ...block, source: { type: 'base64', media_type: mediaType, data } }
    }),
  )
}
