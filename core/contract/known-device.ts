const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['WeChat', /\bMicroMessenger\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const

const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Browser and system of a User-Agent header by known names, which is all that may be believed of it: whoever signs in writes it. Undefined for one that
 *  names neither. */
export function knownDevice(userAgent: string): string | undefined {
  const text = userAgent.slice(0, 256)
  const parts = [browsers, systems].flatMap(
    (names) => names.find(([, pattern]) => pattern.test(text))?.[0] ?? [],
  )
  return parts.length > 0 ? parts.join(' · ') : undefined
}
