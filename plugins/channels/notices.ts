import type { PluginServices, Text } from '#core'

interface Notice {
  kind: string
  title: Text
  content: Text
  values: string[]
}

/** Tells the first super admin what happened to channels without an admin's doing. `{{value}}`s are filled in order by the receiver. */
export function tellSuperAdmin(services: PluginServices): () => void {
  const { events } = services
  const disposers = [
    events.on('channel.disabled', (event) => tell(services, disabledNotice(event)), 'channels'),
    events.on('channel.enabled', (event) => tell(services, enabledNotice(event)), 'channels'),
    events.on('channels.tested', (event) => tell(services, testedNotice(event)), 'channels'),
  ]
  return () => {
    for (const dispose of disposers) dispose()
  }
}

async function tell({ accounts, notifications }: PluginServices, notice: Notice): Promise<void> {
  await notifications.notify(await accounts.firstRootId(), notice)
}

function disabledNotice(event: { channelId: number; name: string; reason: string }): Notice {
  return {
    kind: `channel_update_${event.channelId}_3`,
    title: {
      en: `Channel ${event.name} (#${event.channelId}) was disabled`,
      zh: `渠道 ${event.name}（#${event.channelId}）已被禁用`,
    },
    content: {
      en: 'Channel {{value}} (#{{value}}) was disabled. Reason: {{value}}',
      zh: '渠道 {{value}}（#{{value}}）已被禁用，原因：{{value}}',
    },
    values: [event.name, String(event.channelId), event.reason],
  }
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
