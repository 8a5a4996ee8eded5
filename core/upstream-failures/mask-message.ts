// Removes from an upstream's message what a client must not learn: addresses, keys, account marks.
// Every pattern takes a whole run of characters at a time, so the work grows with the length only; a function then judges the run.
import { isIPv6 } from 'node:net'

const MASK = '***'

/** Longer messages are cut before they are looked through: no sentence for people is so long. */
export const LONGEST_MASKED = 4_000

// Names are masked by their ending, because a dotted word may be the path of a request field (`generation_config.temperature`)
// or a model (`claude-3.5-sonnet`).
const TOP_LEVELS: ReadonlySet<string> = new Set(
  'com net org io ai cn dev app cloud xyz top info tech site online internal local localdomain lan svc corp co hk tw jp kr sg uk eu de fr ru gg sh run host space vip cc tv'.split(
    ' ',
  ),
)

// Prefixes of keys and of account marks as the providers write them, those of an already shortened key included.
const KEY_START =
  /(?:^|[.*])(?:sk|pk|rk|xai|gsk|pplx|nvapi|hf|r8|tgp|fw|jina|bce-v3|ya29|app|pat|org|proj|acct|cak|csk)[-_]/
const CERTAIN_START = /^(?:org-[\w-]{4}|(?:AIza|AKIA|ASIA|AKID|LTAI)[\w-]{8}|eyJ[\w-]{6})/

type Pass = readonly [RegExp, (run: string) => string]

const addressPasses: readonly Pass[] = [
  [/[\w+.@-]+(?::\/\/[^\s"'<>)\]}]+)?/g, maskName],
  // What follows a masked name: its port and its path.
  [/\*\*\*(?::\d{1,5})?(?:\/[^\s"'<>)\]}]*)?/g, maskAddress],
  [/[\w:.]+/g, maskIPv6],
]

const keyPasses: readonly Pass[] = [
  [/\bBearer\s+[\w.~+/=*-]+/gi, () => MASK],
  [/[\w*.-]+/g, maskKey],
  [/[0-9A-Za-z]{32,}/g, (run) => (/\d/.test(run) && /[A-Za-z]/.test(run) ? MASK : run)],
]

/** What stays is kept word for word. `secrets` are texts known to be secret, such as the channel's key. */
export function maskMessage(message: string, secrets: readonly string[] = []): string {
  let masked = message
  for (const secret of secrets) {
    if (secret.length >= 6) masked = masked.replaceAll(secret, MASK)
  }
  return passed(passed(cut(masked), addressPasses), keyPasses)
}

/** For whoever owns the channel: addresses stay. */
export function maskKeys(message: string): string {
  return passed(cut(message), keyPasses)
}

function passed(message: string, passes: readonly Pass[]): string {
  return passes.reduce((text, [pattern, judge]) => text.replace(pattern, judge), message)
}

/** Cut between two words: half a key has lost what it is known by. */
function cut(text: string): string {
  if (text.length <= LONGEST_MASKED) return text
  const space = text.lastIndexOf(' ', LONGEST_MASKED)
  return `${text.slice(0, space > 0 ? space : LONGEST_MASKED).toWellFormed()}…`
}

/** A URL, a mail address, a host's name or an IPv4 address; the full stop of its sentence stays. */
function maskName(run: string): string {
  const stop = endOf(run, '.,;:!?-')
  const end = run.slice(stop)
  const name = run.slice(0, stop)
  const address = name.indexOf('://')
  if (address > 0) {
    const scheme = /[a-z][a-z0-9]{0,20}$/i.exec(name.slice(Math.max(0, address - 21), address))
    return scheme && stop > address + 3
      ? name.slice(0, address - scheme[0].length) + MASK + end
      : run
  }
  const at = name.indexOf('@')
  if (at > 0 && name.includes('.', at)) return MASK + end
  if (name.toLowerCase() === 'localhost' || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name))
    return MASK + end
  return maskHost(name) + end
}

function maskHost(name: string): string {
  const labels = name.split('.')
  const last = labels.findLastIndex((label) => TOP_LEVELS.has(label.toLowerCase()))
  const isHost = last > 0 && labels.slice(0, last + 1).every((label) => /^[a-z0-9-]+$/i.test(label))
  return isHost ? [MASK, ...labels.slice(last + 1)].join('.') : name
}

function maskAddress(run: string): string {
  return MASK + run.slice(endOf(run, '.,;:!?'))
}

function maskIPv6(run: string): string {
  const stop = endOf(run, '.:')
  return stop > 2 && isIPv6(run.slice(0, stop)) ? MASK + run.slice(stop) : run
}

function maskKey(run: string): string {
  const stop = endOf(run, '.-')
  const word = run.slice(0, stop)
  if (CERTAIN_START.test(word)) return MASK + run.slice(stop)
  const start = KEY_START.exec(word)
  if (start === null) return run
  const from = start.index + (/^[.*]/.test(start[0]) ? 1 : 0)
  const [secret = ''] = word.slice(from).split('.', 1)
  return /[\d*]/.test(secret) ? word.slice(0, from) + MASK + run.slice(stop) : run
}

/** Where the marks at the end of a run begin. */
function endOf(run: string, marks: string): number {
  let end = run.length
  while (end > 0 && marks.includes(run[end - 1] ?? '')) end -= 1
  return end
}
