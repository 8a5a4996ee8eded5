/** A name and how a User-Agent header says it. */
export type KnownProgram = readonly [name: string, pattern: RegExp]

const browsers: readonly KnownProgram[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
]

const systems: readonly KnownProgram[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/** Browser and system of a User-Agent header by known names, which is all that may be believed of it: whoever signs in writes it. Undefined for one that
 *  names neither. @param apps with browsers inside, which name an ordinary one as well */
export function knownDevice(
  userAgent: string,
  apps: readonly KnownProgram[] = [],
): string | undefined {
  const text = userAgent.slice(0, 256)
  const parts = [[...apps, ...browsers], systems].flatMap(
    (names) => names.find(([, pattern]) => pattern.test(text))?.[0] ?? [],
  )
  return parts.length > 0 ? parts.join(' · ') : undefined
}
