import type { Notice, PluginServices } from '#core'

/** Tells the admins what happened to channels without an admin's doing. `{{value}}`s are filled in order by the receiver. */
export function tellAdmins(services: PluginServices): () => void {
  const { events, notifications } = services
  const tell = (notice: Notice) => notifications.notifyAdmins(notice)
  const disposers = [
    events.on('channel.disabled', (event) => tell(disabledNotice(services, event)), 'channels'),
    events.on('channel.enabled', (event) => tell(enabledNotice(event)), 'channels'),
    events.on('channels.tested', (event) => tell(testedNotice(event)), 'channels'),
  ]
  return () => {
    for (const dispose of disposers) dispose()
  }
}

function disabledNotice(
  services: Pick<PluginServices, 'environment' | 'options'>,
  event: { channelId: number; name: string; reason: string },
): Notice {
  const link = linkTo(services, event.channelId)
  return {
    kind: `channel_update_${event.channelId}_3`,
    title: {
      en: `Channel ${event.name} (#${event.channelId}) was disabled`,
      zh: `渠道 ${event.name}（#${event.channelId}）已被禁用`,
    },
    content: {
      en: 'Channel {{value}} (#{{value}}) was disabled. Reason: {{value}}<br>See <a href="{{value}}">{{value}}</a>',
      zh: '渠道 {{value}}（#{{value}}）已被禁用，原因：{{value}}<br>查看：<a href="{{value}}">{{value}}</a>',
    },
    values: [event.name, String(event.channelId), event.reason, link, link],
  }
}

/** The list with that channel alone. No Host header decides where a notice leads. */
function linkTo(
  { environment, options }: Pick<PluginServices, 'environment' | 'options'>,
  channelId: number,
): string {
  const site = options.get<string>('ServerAddress') || `http://localhost:${environment.port}`
  return `${site}/channel?keyword=${channelId}`
}

function enabledNotice(event: { channelId: number; name: string }): Notice {
  return {
    kind: `channel_update_${event.channelId}_1`,
    title: {
      en: `Channel ${event.name} (#${event.channelId}) is enabled again`,
      zh: `渠道 ${event.name}（#${event.channelId}）已恢复启用`,
    },
    content: {
      en: 'Channel {{value}} (#{{value}}) passed its test and is enabled again.',
      zh: '渠道 {{value}}（#{{value}}）通过测试，已恢复启用。',
    },
    values: [event.name, String(event.channelId)],
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
