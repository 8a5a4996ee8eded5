import {
  isObject,
  UpstreamError,
  type AttemptContext,
  type JsonObject,
  type MediaSource,
} from '#core'
import { askJson, readFailure, urlOfSource } from '#adapter-kit'

/** Pictures that have an address are named by it, others are uploaded first. */
export async function toPicture(source: MediaSource, context: AttemptContext): Promise<JsonObject> {
  if (source.type !== 'base64') return { type: 'image', file_url: urlOfSource(source, 'messages') }
  const { channel, http, httpOptions } = context
  const { mediaType, data } = source
  const answer = await askJson(
    http,
    {
      url: `${channel.baseUrl}/v1/files/upload`,
      headers: { authorization: `Bearer ${channel.key}` },
      body: [
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
  const id = isObject(answer.data) ? answer.data.id : undefined
  if (typeof id !== 'string') throw new UpstreamError(readFailure(200, answer))
  return { type: 'image', file_id: id }
}
