import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { Attempt } from '../call/attempt.ts'
import { unreadableAnswer } from './answer-whole.ts'
import { clientCodec } from './client-codec.ts'
import { textAsArray } from './gemini-array-stream.ts'
import type { SettleDeps } from '../call/relay-deps.ts'
import { seeEvent, type Watched } from './see-event.ts'
import { settleCall } from '../call/settle-call.ts'
import { clientStreamOf, wantsArray } from './client-stream-format.ts'

export interface StreamedAnswer extends Watched {
  attempt: Attempt
  events: readonly ChatEvent[]
  meta: AnswerMeta
}

/** A client that asked for a stream gets a whole answer as one burst of events. */
export async function answerAsStream(replay: StreamedAnswer, deps: SettleDeps): Promise<void> {
  const { call, attempt, events, meta, tally } = replay
  const writer = clientCodec(call).streamWriter(meta)
  let text = ''
  for (const event of events) {
    seeEvent(replay, event)
    text += writer.write(event)
  }
  if (!tally.hasOutput) throw unreadableAnswer(undefined)
  if (!tally.reported) text += writer.write({ type: 'usage', usage: tally.complete() })
  text += writer.end()
  const isGone = call.client.isGone
  await settleCall(
    call,
    {
      attempt,
      usage: tally.complete(),
      rule: isGone ? 'client_left_drained' : 'completed',
      status: isGone ? 499 : 200,
      tally,
    },
    deps,
  )
  const stream = clientStreamOf(call, deps.settings)
  stream.start()
  stream.end(wantsArray(call) ? textAsArray(text) : text)
}
