import { ChannelFault } from '#core'

/** @throws ChannelFault */
export function keyParts(key: string): { appId: string; apiSecret: string; apiKey: string } {
  const [appId, apiSecret, apiKey, ...rest] = key.split('|')
  if (!appId || !apiSecret || !apiKey || rest.length > 0)
    throw new ChannelFault('invalid_channel_key', {
      en: 'The key must be APPID|APISecret|APIKey.',
      zh: '密钥格式应为 APPID|APISecret|APIKey。',
    })
  return { appId, apiSecret, apiKey }
}
