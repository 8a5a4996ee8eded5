import { UpstreamError, type Body } from '#core'
import { editList } from '#adapter-kit'
import { readError } from './failures.ts'

/** A withheld answer gets the finish reason `content_filter`. */
export function fromMinimax(body: Body): Body {
  if (body.output_sensitive !== true) return body
  return editList(body, 'choices', (choice) =>
    choice.finish_reason === null ? choice : { ...choice, finish_reason: 'content_filter' },
  )
}

/** The last event is a whole answer that repeats the text of the stream: only its reason, usage and verdict are new.
 *  @throws UpstreamError for an error inside an event */
export function fromMinimaxChunk(body: Body): Body {
  const failure = readError(200, body)
  if (failure) throw new UpstreamError(failure)
  const chunk = fromMinimax(body)
  if (chunk.object !== 'chat.completion') return chunk
  const last = editList(chunk, 'choices', ({ message: _repeated, ...choice }) => ({
    ...choice,
    delta: {},
  }))
  return { ...last, object: 'chat.completion.chunk' }
}
