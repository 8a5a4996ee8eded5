// What the gateway itself does to channels stands in the log, for admins. Only the process that wrote the change emits
// its event, so several nodes write one row.
import { type LogRow, logType, type PluginServices } from '#core'

/** Further changes of the same kind within the minute get one row together: a whole provider may fail at once. */
const ROWS_PER_MINUTE = 60
const ONE_MINUTE_MS = 60_000
/** The most ids that such a row names. */
const MOST_NAMED = 200

interface ChangedChannel {
  channelId: number
  name: string
  reason: string
  /** Of one of several keys: its place, and how many are left. */
  position?: number
  left?: number
}

/** The words are for whoever reads the table; the console makes its own sentence of the values. */
interface Kind {
  event: 'channel.disabled' | 'channel.enabled' | 'channel.key_disabled'
  one: (channel: ChangedChannel) => string
  more: (count: number, ids: string) => string
}

const kinds: readonly Kind[] = [
  {
    event: 'channel.disabled',
    one: ({ channelId, name, reason }) =>
      `Channel ${name} (id ${channelId}) was disabled automatically: ${reason}`,
    more: (count, ids) => `Further channels (${count}) were disabled automatically: ${ids}`,
  },
  {
    event: 'channel.enabled',
    one: ({ channelId, name }) =>
      `Channel ${name} (id ${channelId}) passed its test and was enabled automatically`,
    more: (count, ids) => `Further channels (${count}) were enabled automatically: ${ids}`,
  },
  {
    event: 'channel.key_disabled',
    one: ({ channelId, name, reason, position = 0, left = 0 }) =>
      `Key ${position} of channel ${name} (id ${channelId}) is passed over, ${left} are left: ${reason}`,
    more: (count) => `Further keys of channels (${count}) are passed over`,
  },
]

type Services = Pick<PluginServices, 'events' | 'logs'>

export function logAutomaticChanges(services: Services): () => void {
  const disposers = kinds.map((kind) => logChanges(services, kind))
  return () => {
    for (const dispose of disposers) dispose()
  }
}

function logChanges({ events, logs }: Services, { event, one, more }: Kind): () => void {
  let rows = 0
  let left: number[] = []
  let timer: NodeJS.Timeout | undefined
  const endMinute = () => {
    clearTimeout(timer)
    timer = undefined
    const [ids, count] = [left.slice(0, MOST_NAMED), left.length]
    rows = 0
    left = []
    if (count === 0) return
    const content = more(count, count > ids.length ? `${ids.join(', ')} …` : ids.join(', '))
    logs.write(systemRow(content, { op: `${event}.more`, count, ids }))
  }
  const add = (channel: ChangedChannel) => {
    timer ??= setTimeout(endMinute, ONE_MINUTE_MS).unref()
    rows += 1
    if (rows > ROWS_PER_MINUTE) {
      left.push(channel.channelId)
      return
    }
    const { channelId: id, reason, ...others } = channel
    const facts = { op: event, id, ...others, ...(reason === '' ? {} : { reason }) }
    logs.write({ ...systemRow(one(channel), facts), channel_id: id })
  }
  const dispose = events.on(event, add, 'channels')
  return () => {
    dispose()
    endMinute()
  }
}

/** A row that belongs to no user, so that admins alone see it. */
function systemRow(content: string, other: object) {
  return {
    user_id: 0,
    username: '',
    type: logType.system,
    content,
    other: JSON.stringify(other),
  } satisfies Partial<LogRow>
}
