import type { Text } from './errors.ts'

/** Whether it is a whole http(s) address. Others are no upstream, and in a link they could run a script. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** For the `check` of an option that holds an address: what is wrong with it. An empty option holds none. */
export function webAddressFault(key: string, value: string): Text | undefined {
  if (value === '' || isWebAddress(value)) return undefined
  return {
    en: `${key} must be an address that begins with https:// or http://`,
    zh: `${key} 必须是以 https:// 或 http:// 开头的地址`,
  }
}
