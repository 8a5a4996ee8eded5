import { channelStatus, type Notice, type PluginServices, siteAddress } from '#core'

/** Events that follow a mail within this time are gathered into one mail: a whole provider may fail at once. */
const GATHER_MS = 5_000
/** The most lines of such a mail. */
const MOST_LISTED = 30

interface ChangedChannel {
  channelId: number
  name: string
  reason: string
}

interface DisabledKey extends ChangedChannel {
  position: number
  left: number
}

/** Notifies admins of what the gateway itself did to channels. The receiver fills the `{{value}}`s in order. */
export function notifyAdmins(services: PluginServices): () => void {
  const { events, notifications } = services
  const notify = (notice: Notice) => void notifications.notifyAdmins(notice)
  const disabled = new Gathering<ChangedChannel>((channels) =>
    notify(disabledNotice(services, channels)),
  )
  const enabled = new Gathering<ChangedChannel>((channels) =>
    notify(enabledNotice(services, channels)),
  )
  const keys = new Gathering<DisabledKey>((disabledKeys) =>
    notify(keysNotice(services, disabledKeys)),
  )
  const disposers = [
    events.on('channel.disabled', (event) => disabled.add(event), 'channels'),
    events.on('channel.enabled', (event) => enabled.add(event), 'channels'),
    events.on('channel.key_disabled', (event) => keys.add(event), 'channels'),
    events.on('channels.tested', (event) => notify(testedNotice(event)), 'channels'),
  ]
  return () => {
    for (const dispose of disposers) dispose()
    disabled.close()
    enabled.close()
    keys.close()
  }
}

/** Sends the first event at once, then all that arrived meanwhile together. */
class Gathering<T> {
  readonly #send: (changes: readonly T[]) => void
  #waiting: T[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(send: (changes: readonly T[]) => void) {
    this.#send = send
  }

  add(change: T): void {
    this.#waiting.push(change)
    if (this.#timer === undefined) this.#next()
  }

  close(): void {
    clearTimeout(this.#timer)
    if (this.#waiting.length > 0) this.#send(this.#waiting)
    this.#waiting = []
  }

  #next(): void {
    const changes = this.#waiting
    this.#waiting = []
    this.#timer = undefined
    if (changes.length === 0) return
    this.#send(changes)
    this.#timer = setTimeout(() => this.#next(), GATHER_MS).unref()
  }
}

type Site = Pick<PluginServices, 'environment' | 'options'>

function disabledNotice(site: Site, channels: readonly ChangedChannel[]): Notice {
  const [only] = channels
  if (only === undefined || channels.length > 1) return disabledTogether(site, channels)
  const { channelId, name, reason } = only
  const link = `${channelsPage(site)}?keyword=${channelId}`
  return {
    kind: `channel_update_${channelId}_3`,
    title: {
      en: `Channel ${name} (#${channelId}) was disabled`,
      zh: `渠道 ${name}（#${channelId}）已被禁用`,
    },
    content: {
      en: 'Channel {{value}} (#{{value}}) was disabled. Reason: {{value}}<br>See <a href="{{value}}">{{value}}</a>',
      zh: '渠道 {{value}}（#{{value}}）已被禁用，原因：{{value}}<br>查看：<a href="{{value}}">{{value}}</a>',
    },
    values: [name, String(channelId), reason, link, link],
  }
}

function disabledTogether(site: Site, channels: readonly ChangedChannel[]): Notice {
  const { length } = channels
  return listOf(channels, {
    kind: channelStatus.disabledAutomatically,
    title: { en: `${length} channels were disabled`, zh: `${length} 个渠道已被禁用` },
    line: {
      en: '{{value}} (#{{value}}). Reason: {{value}}',
      zh: '{{value}}（#{{value}}），原因：{{value}}',
    },
    valuesOf: ({ channelId, name, reason }) => [name, String(channelId), reason],
    link: `${channelsPage(site)}?status=${channelStatus.disabledAutomatically}`,
  })
}

function enabledTogether(site: Site, channels: readonly ChangedChannel[]): Notice {
  const { length } = channels
  return listOf(channels, {
    kind: channelStatus.enabled,
    title: {
      en: `${length} channels are enabled again`,
      zh: `${length} 个渠道已恢复启用`,
    },
    line: {
      en: '{{value}} (#{{value}}) passed its test.',
      zh: '{{value}}（#{{value}}）通过测试。',
    },
    valuesOf: ({ channelId, name }) => [name, String(channelId)],
    link: channelsPage(site),
  })
}

/** The channel goes on with its other keys. */
function keysNotice(site: Site, keys: readonly DisabledKey[]): Notice {
  const [first] = keys
  const { length } = keys
  return listOf(keys, {
    kind: 'key',
    title: {
      en:
        length === 1
          ? `A key of channel ${first?.name} is passed over`
          : `${length} keys of channels are passed over`,
      zh: length === 1 ? `渠道 ${first?.name} 的一个密钥已停用` : `${length} 个渠道密钥已停用`,
    },
    line: {
      en: '{{value}} (#{{value}}), key {{value}}, keys left: {{value}}. Reason: {{value}}',
      zh: '{{value}}（#{{value}}），第 {{value}} 个密钥，剩余 {{value}} 个，原因：{{value}}',
    },
    valuesOf: ({ channelId, name, position, left, reason }) => [
      name,
      String(channelId),
      String(position),
      String(left),
      reason,
    ],
    link: length === 1 ? `${channelsPage(site)}?keyword=${first?.channelId}` : channelsPage(site),
  })
}

interface Listing<T> {
  kind: number | 'key'
  title: Texts
  line: Texts
  valuesOf: (change: T) => string[]
  link: string
}

type Texts = Notice['title']

function listOf<T extends ChangedChannel>(
  channels: readonly T[],
  { kind, title, line, valuesOf, link }: Listing<T>,
): Notice {
  const listed = channels.slice(0, MOST_LISTED)
  const more = channels.length - listed.length
  const lines = (text: string) => `${text}<br>`.repeat(listed.length)
  const rest = more > 0 ? { en: `And ${more} more.<br>`, zh: `另有 ${more} 个。<br>` } : undefined
  return {
    kind: `channel_update_${channels[0]?.channelId}_${kind}`,
    title,
    content: {
      en: `${lines(line.en)}${rest?.en ?? ''}See <a href="{{value}}">{{value}}</a>`,
      zh: `${lines(line.zh)}${rest?.zh ?? ''}查看：<a href="{{value}}">{{value}}</a>`,
    },
    values: [...listed.flatMap(valuesOf), link, link],
  }
}

function channelsPage(site: Site): string {
  return `${siteAddress(site)}/channel`
}

function enabledNotice(site: Site, channels: readonly ChangedChannel[]): Notice {
  const [only] = channels
  if (only === undefined || channels.length > 1) return enabledTogether(site, channels)
  const { channelId, name } = only
  return {
    kind: `channel_update_${channelId}_1`,
    title: {
      en: `Channel ${name} (#${channelId}) is enabled again`,
      zh: `渠道 ${name}（#${channelId}）已恢复启用`,
    },
    content: {
      en: 'Channel {{value}} (#{{value}}) passed its test and is enabled again.',
      zh: '渠道 {{value}}（#{{value}}）通过测试，已恢复启用。',
    },
    values: [name, String(channelId)],
  }
}

function testedNotice(event: { tested: number; failed: number }): Notice {
  return {
    kind: 'channel_test',
    title: { en: 'The channel test is done', zh: '渠道测试已完成' },
    content: {
      en: '{{value}} channels were tested, {{value}} of them failed.',
      zh: '共测试 {{value}} 个渠道，其中 {{value}} 个失败。',
    },
    values: [String(event.tested), String(event.failed)],
  }
}
