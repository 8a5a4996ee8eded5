import type { Text } from '#core'

const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['WeChat', /\bMicroMessenger\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const

const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Known names only: whoever signs in writes the header, and the owner is to believe the notice. */
export function deviceName(userAgent: string): string | Text {
  const text = userAgent.slice(0, 256)
  const parts = [browsers, systems].flatMap(
    (names) => names.find(([, pattern]) => pattern.test(text))?.[0] ?? [],
  )
  return parts.length > 0 ? parts.join(' · ') : { en: 'an unknown program', zh: '未知程序' }
}
