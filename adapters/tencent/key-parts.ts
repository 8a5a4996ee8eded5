import { ChannelFault } from '#core'

/** The AppId is not used in calls.
 *  @throws ChannelFault */
export function keyParts(key: string): { secretId: string; secretKey: string } {
  const [appId, secretId, secretKey, ...rest] = key.split('|')
  if (!appId || !secretId || !secretKey || rest.length > 0)
    throw new ChannelFault('invalid_channel_key', {
      en: 'The key must be AppId|SecretId|SecretKey.',
      zh: '密钥格式应为 AppId|SecretId|SecretKey。',
    })
  return { secretId, secretKey }
}
