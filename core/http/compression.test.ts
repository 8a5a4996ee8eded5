// What goes out compressed, asked of a whole gateway without a client that undoes it.
import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, type App, type Customer, startApp } from '#test'

const built = fileURLToPath(new URL('../../console/dist', import.meta.url))
const undo = { br: brotliDecompressSync, gzip: gunzipSync }

let app: App
let ada: Customer

beforeAll(async () => {
  app = await startApp({ isWithin: true })
  ada = await addCustomer(app.root, 'ada', 1)
})
afterAll(() => app.close())

async function fetchRaw(path: string, encodings: string, by = app.root) {
  return new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const headers = {
      'accept-encoding': encodings,
      cookie: by.sessionCookie,
      'new-api-user': String(by.userId),
    }
    get(app.url + path, { headers }, (response) => {
      buffer(response).then((body) => resolve({ headers: response.headers, body }), reject)
    }).on('error', reject)
  })
}

describe('files of the console', () => {
  const files = readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:js|css|svg)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size >= 1024)

  it.each(['br', 'gzip'] as const)('go out as %s, each of them whole', async (encoding) => {
    expect(files.length).toBeGreaterThan(20)
    for (const path of files) {
      const { headers, body } = await fetchRaw(path.slice(built.length), encoding)
      expect(headers, path).toMatchObject({ 'content-encoding': encoding })
      expect(String(headers['vary'])).toContain('accept-encoding')
      expect(String(headers['content-type'])).toMatch(/javascript|css|svg/)
      expect(undo[encoding](body).equals(readFileSync(path))).toBe(true)
    }
  })

  it('are kept for ever where their name holds a digest, and asked for anew elsewhere', async () => {
    const asset = files.find((path) => path.includes('/assets/'))?.slice(built.length) ?? ''
    expect((await fetchRaw(asset, 'br')).headers['cache-control']).toContain('immutable')
    expect((await fetchRaw('/', 'br')).headers['cache-control']).toBe('no-cache')
  })

  it('go out plain to a client that asks for that, and have no address as copies', async () => {
    const path = files.find((file) => file.includes('/assets/')) ?? ''
    const { headers, body } = await fetchRaw(path.slice(built.length), 'identity')
    expect(headers['content-encoding']).toBeUndefined()
    expect(body.equals(readFileSync(path))).toBe(true)
    const copy = await fetchRaw(`${path.slice(built.length)}.br`, 'identity')
    expect(JSON.parse(copy.body.toString())).toHaveProperty('error')
  })
})

describe('answers of the console API', () => {
  it.each(['/api/option/', '/api/channel/types'])('compress %s', async (path) => {
    const { headers, body } = await fetchRaw(path, 'br, gzip')
    expect(headers).toMatchObject({ 'content-encoding': 'br' })
    expect(String(headers['vary']).toLowerCase()).toContain('accept-encoding')
    expect(JSON.parse(brotliDecompressSync(body).toString())).toMatchObject({ success: true })
  })

  it('leave small ones plain', async () => {
    const { headers } = await fetchRaw('/api/channel/?p=0', 'br, gzip')
    expect(headers['content-encoding']).toBeUndefined()
  })

  it('leave those plain that hold keys', async () => {
    for (let count = 0; count < 5; count += 1)
      await ada.client.post('/api/token/', { name: `token ${count}`, unlimited_quota: true })
    const { headers, body } = await fetchRaw('/api/token/?p=0', 'br, gzip', ada.client)
    expect(headers['content-encoding']).toBeUndefined()
    expect(body.length).toBeGreaterThan(1024)
  })
})
