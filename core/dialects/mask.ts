// Removes from an upstream's message what a client must not learn: addresses, keys, account marks.

const MASK = '***'

// Names are masked by their ending, because a dotted word may be the path of a request field (`generation_config.temperature`)
// or a model (`claude-3.5-sonnet`).
const TOP_LEVELS =
  'com|net|org|io|ai|cn|dev|app|cloud|xyz|top|info|tech|site|online|internal|local|localdomain|lan|svc|corp|co|hk|tw|jp|kr|sg|uk|eu|de|fr|ru|gg|sh|run|host|space|vip|cc|tv'

const PATTERNS: readonly RegExp[] = [
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]}]+[^\s"'<>)\]}.,;:!?]/gi,
  /\b[\w.+-]+@[\w-]+\.[\w.-]*\w/g,
  new RegExp(
    `(?<![\\w.-])(?:[a-z0-9-]+\\.)+(?:${TOP_LEVELS})(?::\\d+)?(?:/[^\\s"'<>)\\]}]*)?(?![\\w-])`,
    'gi',
  ),
  /\blocalhost(?::\d+)?\b/gi,
  /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?![\w.]*\d)/g,
  // IPv6: eight groups, or a shortened form with its double colon.
  /(?<![\w:.])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])/gi,
  /\[?(?<![\w:.])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?(?![\w:])\]?/gi,
  /\bBearer\s+[\w.~+/=*-]+/gi,
  // Prefixes of keys and of account marks as the providers write them, asterisks of an already shortened key included.
  /(?<![\w-])(?:sk|pk|rk|xai|gsk|pplx|nvapi|hf|r8|tgp|fw|jina|bce-v3|ya29|app|pat|org|proj|acct|cak|csk)[-_][\w*-]*[\d*][\w*.-]*\w/g,
  /(?<![\w-])org-[\w-]{4,}/g,
  /\b(?:AIza|AKIA|ASIA|AKID|LTAI)[\w-]{8,}/g,
  /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g,
  /\b(?=[0-9A-Za-z]*\d)(?=[0-9A-Za-z]*[A-Za-z])[0-9A-Za-z]{32,}\b/g,
]

/** What stays is kept word for word. `secrets` are texts known to be secret, such as the channel's key. */
export function maskMessage(message: string, secrets: readonly string[] = []): string {
  let masked = message
  for (const secret of secrets) {
    if (secret.length >= 6) masked = masked.replaceAll(secret, MASK)
  }
  for (const pattern of PATTERNS) masked = masked.replace(pattern, MASK)
  return masked
}
