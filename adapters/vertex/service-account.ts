import { createPrivateKey, type KeyObject } from 'node:crypto'
import { ChannelFault, isObject, type ChannelView, type Text } from '#core'

export interface ServiceAccount {
  projectId: string
  keyId: string | undefined
  privateKey: KeyObject
  email: string
  tokenUri: string
}

const DEFAULT_TOKEN_URI = 'https://oauth2.googleapis.com/token'

/** A key of express mode, or one bound to a service account: a word of its own, no document. */
export function isApiKey({ key }: Pick<ChannelView, 'key'>): boolean {
  return /^\s*[\w.-]{20,}\s*$/.test(key)
}

/** Reading the PEM costs more than the rest of a call's preparation, and a channel's view lives until the channel is changed. */
const accounts = new WeakMap<Pick<ChannelView, 'key'>, ServiceAccount>()

/** The channel's key is the JSON document of a service account. @throws ChannelFault */
export function readServiceAccount(channel: Pick<ChannelView, 'key'>): ServiceAccount {
  const found = accounts.get(channel)
  if (found !== undefined) return found
  const account = readKey(channel.key)
  accounts.set(channel, account)
  return account
}

function readKey(key: string): ServiceAccount {
  const account = parse(key)
  const { project_id: projectId, client_email: email, private_key: pem } = account
  if (typeof projectId !== 'string' || typeof email !== 'string' || typeof pem !== 'string')
    throw fault({
      en: 'The service account lacks project_id, client_email or private_key.',
      zh: '服务账号缺少 project_id、client_email 或 private_key。',
    })
  return {
    projectId,
    email,
    keyId: typeof account['private_key_id'] === 'string' ? account['private_key_id'] : undefined,
    privateKey: readPem(pem),
    tokenUri: typeof account['token_uri'] === 'string' ? account['token_uri'] : DEFAULT_TOKEN_URI,
  }
}

function parse(key: string): Record<string, unknown> {
  try {
    const account: unknown = JSON.parse(key)
    if (isObject(account)) return account
  } catch {
    // The text of the parser's error would show parts of the key.
  }
  throw fault({
    en: 'The key must be an API key or the JSON document of a service account.',
    zh: '密钥应为 API 密钥或服务账号的 JSON 文件内容。',
  })
}

function readPem(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw fault({
      en: 'The private_key of the service account cannot be read.',
      zh: '无法读取服务账号的 private_key。',
    })
  }
}

function fault(message: Text): ChannelFault {
  return new ChannelFault('invalid_channel_key', message)
}
