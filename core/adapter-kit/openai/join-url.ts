/** Appends a path to a base URL. According to providers' documents the base may end in a version, or in a further
 *  segment after it (`…/compatible-mode/v1`, `…/api/coding/v3`, `…/v1beta/openai`): then the path's own version and
 *  what precedes it are not repeated. */
export function joinUrl(baseUrl: string, path: string): string {
  const known = joined.get(baseUrl)?.get(path)
  if (known !== undefined) return known
  const url = join(baseUrl, path)
  remember(baseUrl, path, url)
  return url
}

/** By base and path. Every call joins the same few; paths that name a model or a task are of no end, so all are forgotten
 *  when they are too many. */
const joined = new Map<string, Map<string, string>>()
const MOST_JOINED = 2_000
const LONGEST_PATH = 200
let count = 0

function remember(baseUrl: string, path: string, url: string): void {
  if (path.length > LONGEST_PATH) return
  if (count >= MOST_JOINED) {
    joined.clear()
    count = 0
  }
  const ofBase = joined.get(baseUrl) ?? new Map<string, string>()
  joined.set(baseUrl, ofBase.set(path, url))
  count += 1
}

function join(baseUrl: string, path: string): string {
  if (/^(?:https?|wss?):\/\//.test(path)) return path
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  const segments = path.split('/')
  const at = segments.findIndex((segment) => isVersion(segment))
  const hasMore = at >= 0 && at < segments.length - 1
  if (!hasMore) return base + path
  const known = base.split('/')
  const last = known.at(-1) ?? ''
  const rest = segments.slice(at + 1)
  if (last === segments[at]) return [base, ...rest].join('/')
  if (last !== SURFACE || !isVersion(known.at(-2) ?? '')) return base + path
  return [base, ...(rest[0] === SURFACE ? rest.slice(1) : rest)].join('/')
}

/** The segment under which Google, DeepInfra and others serve the OpenAI dialect, after their own version. */
const SURFACE = 'openai'

function isVersion(segment: string): boolean {
  return /^v\d+(?:beta\d*|alpha)?$/.test(segment)
}
