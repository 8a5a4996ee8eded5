// What the text of a variable may be, each with the words for an operator who wrote something else.
import { isIP } from 'node:net'
import { FormatRegistry } from '@sinclair/typebox'

interface ValueFormat {
  matches: (text: string) => boolean
  expectation: string
}

const formats: Readonly<Record<string, ValueFormat>> = {
  'address-list': {
    matches: (text) => text.split(/[\s,]+/).every((entry) => entry === '' || isAddressRange(entry)),
    expectation: 'expected IP addresses or CIDR ranges, separated by commas',
  },
  'postgres-url': {
    matches: (text) => text === '' || isPostgresAddress(text),
    expectation:
      'expected postgres://user:password@host/database, where #, / and ? in a password are written %23, %2F and %3F, and sslmode is one that PostgreSQL knows',
  },
  'redis-url': {
    matches: (text) => text === '' || isRedisAddress(text),
    expectation:
      'expected redis://user:password@host/0 or rediss://…, where what follows the host is the number of a database, and #, /, ? and % in a password are written %23, %2F, %3F and %25',
  },
  'web-url': {
    matches: (text) => text === '' || (/^https?:\/\/.+/.test(text) && URL.canParse(text)),
    expectation: 'expected an address that begins with https:// or http://',
  },
  'secret-key': {
    matches: (text) => text === '' || text.length >= 16,
    expectation: 'expected at least 16 characters',
  },
  'worker-count': {
    matches: (text) => text === 'auto' || (/^\d{1,3}$/.test(text) && Number(text) <= 256),
    expectation: 'expected a number from 1 to 256, or auto',
  },
  ratio: {
    matches: (text) => /^(?:0|1|0?\.\d{1,9}|[01]\.0*)$/.test(text),
    expectation: 'expected a number from 0 to 1',
  },
  'azure-version': {
    matches: (text) => /^[\w.-]+$/.test(text),
    expectation: 'expected a version as Azure writes it: 2024-12-01-preview',
  },
  // An empty entry, as behind a comma at the end, is one that OpenTelemetry passes over.
  'name-values': {
    matches: (text) =>
      text.split(',').every((entry) => entry.trim() === '' || entry.trim().indexOf('=') > 0),
    expectation: 'expected name=value, several separated by commas',
  },
  'header-value': {
    matches: (text) => /^[\x21-\x7e]*$/.test(text),
    expectation: 'expected letters, digits and signs of ASCII without spaces',
  },
}

for (const [name, { matches }] of Object.entries(formats)) FormatRegistry.Set(name, matches)

/** What a value of the format has to be, as part of a sentence. */
export function expectationOf(format: unknown): string | undefined {
  return typeof format === 'string' ? formats[format]?.expectation : undefined
}

function isAddressRange(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  )
}

/** What the driver does not know of sslmode it would take for a connection in the clear. */
const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** A #, a slash or a percent sign in a password must be escaped. */
function isPostgresAddress(text: string): boolean {
  if (!/^postgres(ql)?:\/\/.+/.test(text) || !isDecodable(text)) return false
  // The driver knows blanks as well, and parses no better than this.
  const address = URL.parse(text.replaceAll(' ', '%20'))
  if (address === null) return false
  return address.searchParams.getAll('sslmode').every((mode) => sslModes.includes(mode))
}

/** The client would take another word for a database for a number that it is not, and ask for that one. */
function isRedisAddress(text: string): boolean {
  if (!/^rediss?:\/\/.+/.test(text) || !isDecodable(text)) return false
  const address = URL.parse(text)
  if (address === null || !/^\/?\d*$/.test(address.pathname)) return false
  return address.searchParams.getAll('db').every((number) => /^\d+$/.test(number))
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
