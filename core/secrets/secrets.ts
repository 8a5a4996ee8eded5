import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  type KeyObject,
  createSecretKey,
} from 'node:crypto'
import { errorType } from '../contract/errors.ts'
import type { SecretService } from '../contract/services.ts'

export { loadMasterKey } from './master-key.ts'

type Purpose = Parameters<SecretService['lookup']>[0]

const version = 'v1:'
const nonceBytes = 12
const tagBytes = 16
const alphanumeric = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const secretUnreadable = errorType('secrets.unreadable', 500, {
  en: 'A stored secret cannot be read: it was changed, or another master key wrote it.',
  zh: '无法读取已保存的密钥：内容被改动，或由其他主密钥写入。',
})

export function createSecrets(masterKey: Buffer): SecretService {
  const sealingKey = deriveKey(masterKey, 'seal')
  const lookupKeys = new Map<Purpose, KeyObject>()

  const lookupKey = (purpose: Purpose): KeyObject => {
    let key = lookupKeys.get(purpose)
    if (key === undefined) {
      key = deriveKey(masterKey, `lookup:${purpose}`)
      lookupKeys.set(purpose, key)
    }
    return key
  }

  return {
    encrypt: (text) => seal(sealingKey, text),
    decrypt: (sealed) => unseal(sealingKey, sealed),
    lookup: (purpose, text) => createHmac('sha256', lookupKey(purpose)).update(text).digest('hex'),
    random: randomText,
  }
}

/** Derives one key for each purpose (HKDF, RFC 5869), so that a value of one purpose is never valid for another. */
function deriveKey(masterKey: Buffer, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', `tollgate:${purpose}`, 32)))
}

function seal(key: KeyObject, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return version + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

function unseal(key: KeyObject, sealed: string): string {
  const bytes = Buffer.from(sealed.slice(version.length), 'base64')
  if (!sealed.startsWith(version) || bytes.length < nonceBytes + tagBytes) throw secretUnreadable()
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    const body = decipher.update(bytes.subarray(nonceBytes + tagBytes))
    return Buffer.concat([body, decipher.final()]).toString('utf8')
  } catch (cause) {
    throw secretUnreadable(undefined, { cause })
  }
}

const MOST_RANDOM = 65_536

/** Bytes above the last multiple of the alphabet's length are skipped, so that all characters are equally likely. */
function randomText(length: number, alphabet: string = alphanumeric): string {
  if (alphabet.length === 0 || alphabet.length > 256) {
    throw new RangeError('An alphabet has 1 to 256 characters.')
  }
  // No length would be a secret that everybody knows, and a vast one would hold up the process.
  if (!Number.isInteger(length) || length < 1 || length > MOST_RANDOM) {
    throw new RangeError(`A random text has 1 to ${MOST_RANDOM} characters.`)
  }
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < limit) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}
