// Forms are measured by the boundary that they are read with, before anybody reads them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { processorTime } from '../../../test/harness/clock.ts'
import { addChannel, addCustomer, type App, type Customer, startApp } from '#test'
import { MOST_HEAD_BYTES } from '../../net/multipart.ts'

let app: App
let customer: Customer

beforeAll(async () => {
  app = await startApp({ isWithin: true })
  await addChannel(app.root, { base_url: 'http://127.0.0.1:9', models: 'm' })
  customer = await addCustomer(app.root, 'sender', 1_000_000)
})

afterAll(() => app.close())

async function send(type: string, body: string, status = 400): Promise<string> {
  const response = await fetch(`${app.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.key}`, 'content-type': type },
    body,
  })
  expect(response.status).toBe(status)
  const { error } = (await response.json()) as { error: { message: string } }
  return error.message
}

const part = 'Content-Disposition: form-data; name="a[]"'
const manyParts = `${`--xx\r\n${part}\r\n\r\nm\r\n`.repeat(501)}--xx--`

it.each([
  'multipart/form-data; boundary=xx',
  'multipart/form-data; boundary="xx"',
  'multipart/form-data; xboundary=zz; boundary=xx',
  'multipart/form-data; other="boundary=zz"; boundary=xx',
])('counts the parts of %s', async (type) => {
  expect(await send(type, manyParts)).toContain('more than 500 parts')
})

it('reads a form by one boundary where its type could be taken for two', async () => {
  const type = 'multipart/form-data; boundary=zz, multipart/form-data; boundary=xx'
  expect(await send(type, manyParts)).toContain('cannot be read')
})

it.each([
  ['one long header', `${part}${'; a=b'.repeat(2_000_000)}`],
  ['many headers', `${part}\r\n${'a: b\r\n'.repeat(1_500_000)}`],
])('refuses a part with %s without reading it', async (_, head) => {
  const spent = processorTime()
  const message = await send(
    'multipart/form-data; boundary=xx',
    `--xx\r\n${head}\r\n\r\nm\r\n--xx--`,
  )
  expect(message).toContain(`longer than ${MOST_HEAD_BYTES} bytes`)
  expect(spent()).toBeLessThan(1_000)
})

it('reads a long file name, and a last line that ends late', async () => {
  const file = `Content-Disposition: form-data; name="file"; filename="${'n'.repeat(3_000)}"`
  const form = `--xx\r\n${file}\r\n\r\nsound\r\n--xx--${' '.repeat(MOST_HEAD_BYTES)}`
  expect(await send('multipart/form-data; boundary=xx', form, 404)).toContain('whisper-1')
})
