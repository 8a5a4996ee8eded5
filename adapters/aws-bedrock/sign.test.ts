import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sign } from './sign.ts'

interface Vector {
  name: string
  input: {
    accessKeyId: string
    secretAccessKey: string
    region: string
    service: string
    amzDate: string
    method: string
    path: string
    headers: Record<string, string>
    body: string
  }
  expected: { authorization: string }
}

const folder = new URL('../../test/fixtures/signatures/', import.meta.url)
const vectors = ['sigv4-bedrock-invoke', 'sigv4-suite-get-vanilla', 'sigv4-suite-post-vanilla'].map(
  (name) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Vector,
)

describe('signing a request', () => {
  it.each(vectors)('gives the known signature of $name', async ({ input, expected }) => {
    const { Host: host, ...headers } = input.headers
    const signed = await sign(
      { method: input.method, url: `https://${host}${input.path}`, headers, body: input.body },
      input,
      instant(input.amzDate),
      input.service,
    )
    expect(signed.headers['authorization']).toBe(expected.authorization)
    expect(signed.headers['x-amz-date']).toBe(input.amzDate)
    expect(signed.headers['host']).toBeUndefined()
  })
})

function instant(amzDate: string): Date {
  return new Date(
    amzDate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
}
