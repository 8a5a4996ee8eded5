// Removes secrets from texts that others wrote. Known secrets are found in every form in which an upstream may quote
// them, unknown ones by their shape or label. The time is linear in the length of the text. Keys that somebody hides on
// purpose, for instance in pieces or backwards, are not found.

import { LRUCache } from 'lru-cache'

export interface Redactor {
  /** Removes known secrets only, for texts in which signed addresses must stay whole. */
  known(text: string): string
  /** Removes known secrets and everything shaped like a key. */
  text(text: string): string
}

const mask = '***'
const shortestSecret = 6
/** Shorter fragments of base64 would match by chance. */
const shortestEncoded = 8
const shortestPemLine = 20
/** Longer texts are cut. */
const longestText = 65_536
/** The last characters of a cut text may be the beginning of a secret, so they are removed as well. */
const cutMargin = 4_096
/** With more forms than this, one pass over the text is cheaper than a search for each form. */
const mostSearches = 48

/** Each pattern begins at the edge of a word and matches one run of characters, so no text causes backtracking. */
const shapes: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s]|\\{1,4}[rnt])*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
    mask,
  ],
  [/(?<![A-Za-z0-9_-])(Bearer|Basic)(\s{1,4}|%20)[\w.~+/=%-]{8,}/gi, `$1$2${mask}`],
  [
    /(?<![A-Za-z0-9_-])(?:sk|pk|rk|xai|gsk|pplx|nvapi|hf|r8|tgp|fw|jina|app|pat|acct|cak|csk)[-_][\w-]{16,}/g,
    mask,
  ],
  [/(?<![A-Za-z0-9_-])(?:bce-v3\/|ya29\.)[\w./-]{16,}/g, mask],
  [/(?<![A-Za-z0-9_-])(?:AIza|AKIA|ASIA|AKID|LTAI)[\w-]{12,}/g, mask],
  [/(?<![A-Za-z0-9_-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)?/g, mask],
  // The name of a secret, optional (escaped) quotes, a colon or equals sign that may be encoded, and the value.
  [
    /(?<![A-Za-z0-9])(x-api-key|x-goog-api-key|api[-_]?key|apikey|access[-_]?token|refresh[-_]?token|client[-_]?secret|secret[-_]?key|secret[-_]?access[-_]?key|private[-_]?key|proxy-authorization|authorization|x-amz-security-token|mj-api-secret)([\\"']{0,6}\s{0,4}(?::|=|%3[aAdD])\s{0,4}[\\"']{0,6})[^\s"'\\&,;<>{}]{8,}/gi,
    `$1$2${mask}`,
  ],
  // Keys of the gateway itself, without their prefix.
  [/(?<![A-Za-z0-9_-])[0-9A-Za-z]{48}(?![0-9A-Za-z])/g, mask],
  [/([?&]key=)[^\s"'\\&<>]{8,}/gi, `$1${mask}`],
]

/** By the list itself, and by its content, because each change of a channel creates all lists anew. */
const redactors = new WeakMap<readonly string[], Redactor>()
const byContent = new LRUCache<string, Redactor>({ max: 2_000 })

/** The redactor for a list of secrets, such as the keys of a channel. Equal lists share one. */
export function redactorOf(secrets: readonly string[]): Redactor {
  let redactor = redactors.get(secrets)
  if (redactor === undefined) {
    const content = secrets.join('\0')
    redactor = byContent.get(content) ?? createRedactor(secrets)
    byContent.set(content, redactor)
    redactors.set(secrets, redactor)
  }
  return redactor
}

function createRedactor(secrets: readonly string[]): Redactor {
  const known = replacing(formsOf(secrets))
  return { known, text: (text) => trimmed(text, (part) => withoutShapes(known(part))) }
}

/** Redacts strings at any depth of a parsed JSON value.
 *  @returns the value itself if nothing changes */
export function redactValue<T>(value: T, redact: (text: string) => string): T {
  return redacted(value, redact) as T
}

export function withoutShapes(text: string): string {
  let result = text
  for (const [pattern, replacement] of shapes) result = result.replace(pattern, replacement)
  return result
}

function redacted(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redacted(item, redact))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const entries = Object.entries(value)
  const changed = entries.map(([name, inner]) => [redact(name), redacted(inner, redact)] as const)
  const isSame = changed.every(
    ([name, inner], index) => name === entries[index]?.[0] && inner === entries[index]?.[1],
  )
  return isSame ? value : Object.fromEntries(changed)
}

/** Cuts first, to limit the time. A part of a secret at the end of the cut text is removed with the margin. */
function trimmed(text: string, redact: (text: string) => string): string {
  if (text.length <= longestText) return redact(text)
  return redact(text.slice(0, longestText)).slice(0, longestText - cutMargin)
}

/** All forms of all secrets in lower case, longest first, so that no form leaves the rest of another one. */
function formsOf(secrets: readonly string[]): string[] {
  const forms = new Set<string>()
  for (const secret of secrets) {
    for (const part of partsOf(secret)) {
      for (const form of [...spellingsOf(part), ...base64Of(part), hexOf(part)]) {
        forms.add(foldCase(form))
      }
    }
  }
  return [...forms].sort((left, right) => right.length - left.length)
}

const region = /^[a-z]{2,}(?:-(?:gov|iso[a-z]?))?-(?:north|south|east|west|central)[a-z]*-?\d$/

/** The secret itself, the parts of `id|secret|region`, and the secret fields of a service account's JSON. */
function partsOf(secret: string): string[] {
  const isJson = /^\s*[{[]/.test(secret)
  const parts = isJson
    ? [secret, ...leavesOf(secret)]
    : [secret, ...secret.split('|'), ...secret.split(/\r?\n/)]
  return parts
    .map((part) => part.trim())
    .filter((part) => part.length >= shortestSecret && !region.test(part))
}

function leavesOf(secret: string): string[] {
  try {
    return secretLeaves(JSON.parse(secret), false)
  } catch {
    return []
  }
}

function secretLeaves(value: unknown, isSecret: boolean): string[] {
  if (typeof value === 'string') {
    if (!isSecret) return []
    const lines = value.split('\n').filter((line) => line.length >= shortestPemLine)
    return [value, ...lines.filter((line) => !line.startsWith('-----'))]
  }
  if (Array.isArray(value)) return value.flatMap((item) => secretLeaves(item, true))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    secretLeaves(inner, /key|secret|token|password/i.test(name)),
  )
}

/** The secret as it is, in a URL, and in JSON as common libraries write it, also escaped twice (JSON inside JSON). */
function spellingsOf(secret: string): string[] {
  if (/^[\w.~-]+$/.test(secret)) return [secret]
  const url = encodeURIComponent(secret)
  const json = escaped(secret)
  const signs = { '=': '\\u003d', '+': '\\u002b', '&': '\\u0026', '<': '\\u003c', '>': '\\u003e' }
  const spelt = json.replace(/[=+&<>]/g, (sign) => signs[sign as keyof typeof signs])
  const slashed = json.replaceAll('/', '\\/')
  const forms = [json, spelt, slashed]
  const inHtml = markupOf(secret)
  return [secret, url, encodeURIComponent(url), ...inHtml, ...forms, ...forms.map(escaped)]
}

/** The secret in HTML: with the five special characters escaped, and with all others as numbers, as some libraries do. */
function markupOf(secret: string): string[] {
  const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }
  const named = secret.replace(/[&<>"]/g, (sign) => `&${names[sign]};`)
  const numbered = (numberOf: (code: number) => string, signs: RegExp) =>
    secret.replace(signs, (sign) => `&#${numberOf(sign.charCodeAt(0))};`)
  const hex = (code: number) => `x${code.toString(16)}`
  return [
    named,
    named.replaceAll("'", '&#39;'),
    numbered(String, /[&<>"'+=/]/g),
    numbered(hex, /[&<>"'+=/`]/g),
  ]
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function hexOf(secret: string): string {
  return Buffer.from(secret).toString('hex')
}

/** The part of the base64 form that is the same wherever the secret begins in the encoded text, as in the Basic
 *  credentials `id:secret`. The first and last characters may hold bits of neighbouring text. */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const forms: string[] = []
  for (const offset of [0, 1, 2]) {
    // The padding at the end is removed with `afterLast`.
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    const firstOwn = Math.ceil((offset * 8) / 6)
    const afterLast = Math.floor(((offset + bytes.length) * 8) / 6)
    const own = text.slice(firstOwn, afterLast)
    if (own.length < shortestEncoded) continue
    forms.push(own)
    if (/[+/]/.test(own)) forms.push(base64Url(own), encodeURIComponent(own))
  }
  return forms
}

function base64Url(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_')
}

function replacing(forms: readonly string[]): (text: string) => string {
  if (forms.length > mostSearches) return replacingMany(forms)
  return (text) => {
    let result = text
    let folded = foldCase(text)
    for (const form of forms) {
      if (!folded.includes(form)) continue
      result = withoutForm(result, folded, form)
      folded = foldCase(result)
    }
    return result
  }
}

/** Upstreams may quote keys in upper or lower case. Folding keeps the length of the text. */
function foldCase(text: string): string {
  const folded = text.toLowerCase()
  return folded.length === text.length
    ? folded
    : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function withoutForm(text: string, folded: string, form: string): string {
  let result = ''
  let copied = 0
  for (let at = folded.indexOf(form); at >= 0; at = folded.indexOf(form, copied)) {
    result += text.slice(copied, at) + mask
    copied = at + form.length
  }
  return result + text.slice(copied)
}

/** One pass that compares the first characters, because a channel may have thousands of keys. */
function replacingMany(forms: readonly string[]): (text: string) => string {
  const known = new Set(forms)
  const lengthsByStart = new Map<string, number[]>()
  /** For each pair of characters, whether a form begins with it. Most positions of a text are skipped by this. */
  const pairs = new Uint8Array(65_536)
  for (const form of forms) {
    const start = form.slice(0, shortestSecret)
    const lengths = lengthsByStart.get(start) ?? []
    if (!lengths.includes(form.length)) lengths.push(form.length)
    pairs[pairAt(form, 0)] = 1
    lengthsByStart.set(start, lengths)
  }
  return (text) => {
    const folded = foldCase(text)
    let result = ''
    let copied = 0
    for (let place = 0; place + shortestSecret <= text.length; place += 1) {
      if (pairs[pairAt(folded, place)] === 0) continue
      const lengths = lengthsByStart.get(folded.slice(place, place + shortestSecret))
      const length = lengths?.find((candidate) => known.has(folded.slice(place, place + candidate)))
      if (length === undefined) continue
      result += text.slice(copied, place) + mask
      copied = place + length
      place = copied - 1
    }
    return copied === 0 ? text : result + text.slice(copied)
  }
}

function pairAt(text: string, place: number): number {
  return ((text.charCodeAt(place) & 255) << 8) | (text.charCodeAt(place + 1) & 255)
}
