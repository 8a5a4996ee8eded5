import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { type Shape } from './answer-whole.ts'
import { clientCodec } from './client-codec.ts'
import { textAsArray } from './gemini-array-stream.ts'
import type { AnswerDeps } from '../call/relay-deps.ts'
import type { ShownEvents } from '../hooks/shown-events.ts'
import { refuseAnswer } from './refuse-answer.ts'
import { seeEvent, type Watched } from './see-event.ts'
import { endOfWhole, settleCall } from '../charge/settle-call.ts'
import { clientStreamOf, wantsArray } from './client-stream-format.ts'
import { unreadable } from '../../dialects/neutral/parsed-event.ts'

export interface StreamedAnswer extends Watched {
  attempt: Attempt
  events: readonly ChatEvent[]
  meta: AnswerMeta
  shape?: Shape | undefined
  /** Hooks that want the events. */
  shown?: ShownEvents | undefined
}

/** A client that asked for a stream gets a whole answer as one burst of events. */
export async function answerAsStream(replay: StreamedAnswer, deps: AnswerDeps): Promise<void> {
  const { call, attempt, events, tally } = replay
  for (const event of events) seeEvent(replay, event)
  if (!tally.hasOutput) throw unreadable()
  let text: string
  try {
    text = written(replay)
  } catch (error) {
    return refuseAnswer(error, replay, () => tally.complete(), deps)
  }
  const { rule, status } = endOfWhole(call.client)
  await settleCall(call, { attempt, usage: tally.complete(), rule, status, tally }, deps)
  const stream = clientStreamOf(call, deps.settings)
  stream.start()
  stream.end(wantsArray(call) ? textAsArray(text) : text)
}

function written({ call, events, meta, tally, shape, shown }: StreamedAnswer): string {
  const writer = clientCodec(call).streamWriter(meta)
  let text = ''
  for (const event of shape ? shape(events) : events) text += writer.write(event)
  const usage = tally.unreported()
  if (usage) text += writer.write({ type: 'usage', usage })
  const all = text + writer.end()
  return shown ? shown.change(all) : all
}
