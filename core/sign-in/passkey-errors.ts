import { errorType } from '../contract/errors.ts'

export const passkeysOff = errorType('passkey.off', 403, {
  en: 'Passkeys are switched off here.',
  zh: '管理员未开启通行密钥。',
})
export const passkeyNeedsDomain = errorType<{ host: string }>('passkey.needs_domain', 400, {
  en: 'Passkeys need a domain name; {host} is an address. Open the console by its name, or set ServerAddress to it.',
  zh: '通行密钥需要域名，而 {host} 是 IP 地址。请通过域名访问控制台，或将 ServerAddress 设为该域名。',
})
export const passkeyOtherHost = errorType<{ address: string }>('passkey.other_host', 400, {
  en: 'Passkeys of this site work at {address} only. Open the console there.',
  zh: '本站的通行密钥仅可在 {address} 使用，请通过该地址访问控制台。',
})
export const passkeyChallengeGone = errorType('passkey.challenge_gone', 403, {
  en: 'This request for a passkey was not made in this browser, took longer than five minutes or was answered already. Try again.',
  zh: '通行密钥请求无效：可能不是由此浏览器发起、已超过五分钟或已使用过，请重试。',
})
export const passkeyRefused = errorType('passkey.refused', 403, {
  en: 'This passkey could not be verified, or it is not known here.',
  zh: '通行密钥验证失败，或该通行密钥未在本站登记。',
})
export const passkeyCounter = errorType('passkey.counter', 403, {
  en: 'This passkey was refused: its counter went back, which happens when it was copied. Sign in another way, delete it and add it again.',
  zh: '通行密钥已被拒绝：其计数器发生回退，可能已被复制。请使用其他方式登录，删除后重新添加。',
})
export const passkeyKnown = errorType('passkey.known', 409, {
  en: 'This passkey is registered already.',
  zh: '该通行密钥已登记。',
})
export const passkeyUnknown = errorType('passkey.unknown', 404, {
  en: 'You have no such passkey.',
  zh: '未找到该通行密钥。',
})
export const passkeysFull = errorType<{ most: number }>('passkey.too_many', 409, {
  en: 'An account has at most {most} passkeys. Delete one first.',
  zh: '每个账户最多 {most} 个通行密钥，请先删除一个。',
})
export const passkeyNameWrong = errorType('passkey.name', 400, {
  en: 'A name has 1 to 64 characters.',
  zh: '名称长度须为 1 到 64 个字符。',
})
