// Headers that an admin adds to the calls of a model. Headers that would break a call, or replace what the channel sets, are refused.

import type { Text } from '../contract/errors.ts'

/** Model to header to values. */
export type ModelHeaders = Record<string, Record<string, string[]>>

/** RFC 9110, 5.6.2: a token. */
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** RFC 9110, 5.5: visible characters, blanks and tabs; further ones as Latin-1, which is all that a header can carry. */
const fieldValue = /^[\t\x20-\x7e\xa0-\xff]*$/

/** Connection headers (RFC 9110, 7.6.1), and headers that say where a call goes and how long it is. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers that carry a key: only the channel's key is sent. */
const keyHeaders: ReadonlySet<string> = new Set([
  'api-key',
  'authorization',
  'cookie',
  'proxy-authenticate',
  'proxy-authorization',
  'x-amz-security-token',
  'x-api-key',
  'x-goog-api-key',
])

export function checkModelHeaders(models: ModelHeaders): Text | undefined {
  for (const [model, headers] of Object.entries(models)) {
    for (const [name, values] of Object.entries(headers)) {
      const fault = faultOf(name, values)
      if (fault) return { en: `${model}: ${fault.en}`, zh: `${model}：${fault.zh}` }
    }
  }
  return undefined
}

function faultOf(name: string, values: readonly string[]): Text | undefined {
  const shown = JSON.stringify(name)
  const header = name.toLowerCase()
  if (!fieldName.test(name))
    return {
      en: `${shown} is not a header name: use letters, digits and -`,
      zh: `${shown} 不是合法的请求头名称，请使用字母、数字和 -`,
    }
  if (ownHeaders.has(header))
    return {
      en: `the gateway sets ${shown} itself; remove it`,
      zh: `${shown} 由网关自行设置，请删除`,
    }
  if (keyHeaders.has(header))
    return {
      en: `${shown} carries a key; set keys in the channel`,
      zh: `${shown} 用于携带密钥，密钥请填写在渠道中`,
    }
  if (!values.every((value) => fieldValue.test(value)))
    return {
      en: `a value of ${shown} holds a line break or another character that no header can carry`,
      zh: `${shown} 的值含有换行等请求头不允许的字符`,
    }
  return undefined
}
