import { UpstreamError } from '../../contract/errors.ts'
import type { UpstreamResponse } from '../../contract/http-client.ts'
import { withoutMark } from '../../wire/byte-order-mark.ts'
import type { Drain } from '../call/drain.ts'
import type { AnswerShare } from './answer-room.ts'

/** Images in JSON make the longest answers. */
export const LARGEST_ANSWER_BYTES = 128 * 1_048_576

/** Who reads an answer: whoever owns the share closes it when the answer is not needed any more. */
interface AnswerReader {
  readonly drain?: Drain
  readonly share: AnswerShare
}

/** Reads a whole body as text, without a byte order mark. @throws UpstreamError above `maxBytes` */
export async function readText(
  response: UpstreamResponse,
  maxBytes: number,
  reader?: AnswerReader,
): Promise<string> {
  return withoutMark(await readBytes(response, maxBytes, reader)).toString('utf8')
}

/** @throws UpstreamError above `maxBytes`, relay.answers_full, relay.answer_too_large */
export async function readBytes(
  response: UpstreamResponse,
  maxBytes: number,
  reader?: AnswerReader,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    reader?.drain?.took(chunk.length)
    reader?.share.take(chunk.length)
    size += chunk.length
    if (size > maxBytes) {
      throw new UpstreamError(
        {
          status: 200,
          message: `The answer is larger than ${maxBytes} bytes.`,
          code: null,
          isKnownShape: true,
        },
        'upstream',
      )
    }
    chunks.push(chunk)
  }
  if (chunks.length === 1) {
    const only = chunks[0] as Uint8Array
    return Buffer.isBuffer(only) ? only : Buffer.from(only.buffer, only.byteOffset, only.byteLength)
  }
  return Buffer.concat(chunks, size)
}
