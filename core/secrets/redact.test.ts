import { describe, expect, it } from 'vitest'
import { processorTime } from '../../test/harness/clock.ts'
import { redactorOf, redactValue } from './redact.ts'
import { LogRedaction } from './log-redaction.ts'

const account = JSON.stringify({
  project_id: 'my-project-1',
  private_key:
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END PRIVATE KEY-----\n',
})

describe('taking secrets out of texts', () => {
  it.each([
    ['the key', 'plain-word-key', 'bad key plain-word-key', 'bad key ***'],
    ['a part of a composite key', 'id-part|secret-part', 'bad secret-part!', 'bad ***!'],
    [
      'a region stays',
      'AKIDX1|verysecret|us-east-1',
      'no model in us-east-1',
      'no model in us-east-1',
    ],
    ['a key in a URL of mixed spelling', 'a/b+c=defg', 'GET /?k=a%2fb%2Bc%3Ddefg', 'GET /?k=***'],
    [
      'a key in capitals',
      'plain-word-Key',
      'bad PLAIN-WORD-KEY and plain-word-key',
      'bad *** and ***',
    ],
    ['a key beside letters that grow', 'plain-word-Key', 'İ PLAIN-WORD-KEY İ', 'İ *** İ'],
    ['many keys in capitals', many().join('|'), `bad ${many()[900]?.toUpperCase()}!`, 'bad ***!'],
    ['an encoded key', 'a/b+c=defg', 'GET /?k=a%2Fb%2Bc%3Ddefg', 'GET /?k=***'],
    ['a key with escaped slashes', 'a/b+c=defg', String.raw`a\/b+c=defg`, '***'],
    ['a key with escaped signs', 'a/b+c=defg', String.raw`a/b\u002bc\u003ddefg`, '***'],
    ['a key in hexadecimal', 'plain-word-key', 'got 706c61696e2d776f72642d6b6579', 'got ***'],
    ['the same in capitals', 'plain-word-key', 'got 706C61696E2D776F72642D6B6579', 'got ***'],
    ['a key in markup', 'a/b+c=defg', '<p>a&#x2F;b&#x2B;c&#x3D;defg</p>', '<p>***</p>'],
    ['a key in markup by name', 'a<b&c=defg', '<p>a&lt;b&amp;c=defg</p>', '<p>***</p>'],
    ['a line of a private key', account, 'got MIIEvQIBADANBgkqhkiG9w0BAQ', 'got ***'],
    ['what is no secret of an account', account, 'no my-project-1', 'no my-project-1'],
    ['one of many keys', many().join('|'), `bad ${many()[900]} and more`, 'bad *** and more'],
  ])('%s', (_what, key, message, expected) => {
    expect(redactorOf([key]).known(message)).toBe(expected)
  })

  it.each([
    ['authorization: Bearer abcdefghij', 'authorization: Bearer ***'],
    ['Basic YXBpOmtleWtleQ==', 'Basic ***'],
    [String.raw`{\"x-api-key\": \"abcdefghij\"}`, String.raw`{\"x-api-key\": \"***\"}`],
    ['client_secret=abcdefghij&x=1', 'client_secret=***&x=1'],
    ['Incorrect API key provided: sk-abcdefghijklmnop1234', 'Incorrect API key provided: ***'],
    ['AKIAIOSFODNN7EXAMPLE was refused', '*** was refused'],
    ['/models?key=abcdefghij', '/models?key=***'],
    ['max_tokens: 1234567890 is too large', 'max_tokens: 1234567890 is too large'],
  ])('finds by its shape what is secret in %s', (message, expected) => {
    expect(redactorOf([]).text(message)).toBe(expected)
  })

  it('goes into values at any depth and leaves clean ones as they are', () => {
    const { known } = redactorOf(['plain-word-key'])
    const clean = { a: [1, null, { b: 'word' }] }
    expect(redactValue(clean, known)).toBe(clean)
    expect(redactValue({ a: [{ b: 'plain-word-key' }] }, known)).toEqual({ a: [{ b: '***' }] })
  })

  it.each([
    'a-',
    'sk-',
    'eyJ',
    'eyJaaaaaaaa.',
    'key=',
    'api_key:',
    '-----BEGIN PRIVATE KEY-----',
    '\\',
    'Bearer ',
  ])('reads a long text of "%s" in time that is linear in its length', (piece) => {
    const redactor = redactorOf(['plain-word-key', 'other/key+with=signs'])
    const timeOf = (length: number) => {
      const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
      const spentMs = processorTime()
      for (let round = 0; round < 4; round += 1) redactor.text(text)
      return spentMs()
    }
    timeOf(8_000)
    expect(timeOf(64_000)).toBeLessThan(8 * Math.max(timeOf(8_000), 5) * 4)
  })
})

describe('the gate of rows and lines', () => {
  const redaction = new LogRedaction()
  redaction.useChannels((id) => (id === 7 ? ['plain-word-key'] : undefined))

  it('keeps the JSON of a row whole', () => {
    const other = JSON.stringify({ upstream: `${'x'.repeat(70_000)} plain-word-key` })
    const row = redaction.row({ type: 5, channel_id: 7, content: 'plain-word-key', other })
    expect(row.content).toBe('***')
    expect(JSON.parse(row.other)).toEqual({ upstream: `${'x'.repeat(70_000)} ***` })
  })

  it('gives a clean row back as it is', () => {
    const row = { type: 2, channel_id: 7, content: 'clean', other: '{}' }
    expect(redaction.row(row)).toBe(row)
  })

  it('looks through a line for the keys of the channel that it names', () => {
    expect(redaction.line('{"channelId":7,"err":"plain-word-key"}')).toBe(
      '{"channelId":7,"err":"***"}',
    )
    expect(redaction.line('{"err":"Bearer abcdefghij"}')).toBe('{"err":"Bearer ***"}')
  })
})

function many(): string[] {
  return Array.from({ length: 1000 }, (_, index) => `secret-number-${index}-end`)
}
