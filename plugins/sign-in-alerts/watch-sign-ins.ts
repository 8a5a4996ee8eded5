import {
  knownDevice,
  type KnownProgram,
  type PluginServices,
  siteAddress,
  type SignedIn,
} from '#core'

const apps: readonly KnownProgram[] = [['WeChat', /\bMicroMessenger\//]]

const unknownProgram = { en: 'an unknown program', zh: '未知程序' }

type Services = Pick<
  PluginServices,
  'accounts' | 'environment' | 'events' | 'notifications' | 'options'
>

/** Notifies the owner of an account of a sign-in from an unknown browser.
 *  @returns the function that ends it */
export function watchSignIns(services: Services): () => void {
  return services.events.on('user.signed_in', async (signIn) => {
    if (signIn.isKnownDevice || !services.options.get<boolean>('NewDeviceNoticeEnabled')) return
    const user = await services.accounts.find(signIn.userId)
    if (user) await notify(services, user.username, signIn)
  })
}

async function notify(
  services: Services,
  username: string,
  { userId, address, userAgent, atMs }: SignedIn,
): Promise<void> {
  const link = `${siteAddress(services)}/personal`
  const time = `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  await services.notifications.notify(userId, {
    kind: 'new_device',
    title: { en: 'Your account was used on a new device', zh: '您的账户在新设备上登录' },
    content: {
      en: 'Somebody signed in to your account {{value}} on a device that it was never used on before: {{value}}, address {{value}}, {{value}}. If it was you, there is nothing to do. If not, change your password and end the other sessions: <a href="{{value}}">{{value}}</a>',
      zh: '您的账户 {{value}} 在一台从未使用过的设备上登录：{{value}}，地址 {{value}}，时间 {{value}}。如果是您本人操作，请忽略此通知；否则请立即修改密码并结束其他会话：<a href="{{value}}">{{value}}</a>',
    },
    values: [username, knownDevice(userAgent, apps) ?? unknownProgram, address, time, link, link],
  })
}
