import type { AttemptContext, JsonObject, MediaSource } from '#core'
import { askJson, joinUrl, urlOfSource } from '#adapter-kit'

/** Pictures that have an address are named by it, others are uploaded first. */
export function toFiles(
  images: readonly MediaSource[],
  user: string,
  context: AttemptContext,
): Promise<JsonObject[]> {
  return Promise.all(images.map((source) => toFile(source, user, context)))
}

async function toFile(
  source: MediaSource,
  user: string,
  context: AttemptContext,
): Promise<JsonObject> {
  if (source.type !== 'base64') {
    const url = urlOfSource(source, 'messages')
    return { type: 'image', transfer_method: 'remote_url', url }
  }
  const { channel, http, httpOptions } = context
  const { mediaType, data } = source
  const { id } = await askJson(
    http,
    {
      url: joinUrl(channel.baseUrl, '/v1/files/upload'),
      headers: { authorization: `Bearer ${channel.key}` },
      body: [
        { name: 'user', value: user },
        {
          name: 'file',
          filename: `image.${mediaType.split('/')[1] ?? 'png'}`,
          contentType: mediaType,
          data: Buffer.from(data, 'base64'),
        },
      ],
    },
    httpOptions,
  )
  return { type: 'image', transfer_method: 'local_file', upload_file_id: id }
}
