// A plugin from outside that looks at the events of streamed answers: core/relay/hooks/shown-events.test.ts asks what came of it.
import { definePlugin, errorType, type JsonObject, type RelayView } from 'tollgate'

const refused = errorType('event_marks.refused', 422, {
  en: 'No more of this answer.',
  zh: '不允许继续此回答。',
})

export default definePlugin({
  id: 'event-marks',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Marks events of streams', zh: '标记流式事件' },
  asks: { services: ['relayHooks'] },
  server({ relayHooks }) {
    const of = (word: string) => (view: RelayView) => view.isStream && view.model.includes(word)
    const add = (
      word: string,
      change: (data: JsonObject) => JsonObject | undefined,
      more: { onFailure?: 'open' | 'closed'; order?: number; id?: string } = {},
    ) =>
      relayHooks.add({
        id: word,
        stage: 'relay.event',
        onFailure: 'open',
        applies: of(word),
        open: () => change,
        ...more,
      })
    for (const [letter, order] of [
      ['b', 20],
      ['a', 10],
    ] as const)
      add('marked', (data) => ({ ...data, mark: `${markOf(data)}${letter}` }), {
        id: `mark-${letter}`,
        order,
      })
    add('watched', (data) => data)
    add('dropped', (data) =>
      data['usage'] || JSON.stringify(data).includes('secret') ? undefined : data,
    )
    add('turned', (data) => (data['type'] === 'ping' ? undefined : { ...data, type: 'turned' }))
    const fail = (data: JsonObject) => {
      if (JSON.stringify(data).includes('secret')) throw new Error('the hook broke')
      return { ...data, mark: 'x' }
    }
    add('broken-open', fail)
    // JSON has no word for either: of the first it has an empty object, of the second none at all.
    add('promised', (data) => Promise.resolve(data) as never)
    add('unwritable', (data) => ({ ...data, mark: 1n }))
    add('broken-closed', fail, { onFailure: 'closed' })
    add('refused', (data) => {
      if (JSON.stringify(data).includes('secret')) throw refused()
      return data
    })
  },
})

function markOf({ mark }: JsonObject): string {
  return typeof mark === 'string' ? mark : ''
}
