import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSecrets, loadMasterKey } from './secrets.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'secrets-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

describe('the master key', () => {
  it('is made at the first start, readable by its owner only, and stays the same', async () => {
    const inner = join(dataDir, 'data')
    const first = await loadMasterKey({ secretKey: undefined, dataDir: inner })
    expect(first).toHaveLength(32)
    expect((await stat(join(inner, 'secret.key'))).mode & 0o777).toBe(0o600)
    expect(await loadMasterKey({ secretKey: '', dataDir: inner })).toEqual(first)
  })

  it('is one and the same for many processes that start at once, and leaves no drafts', async () => {
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => loadMasterKey({ secretKey: undefined, dataDir })),
    )
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
    expect(await readdir(dataDir)).toEqual(['secret.key'])
  })

  it('closes a restored key file to other users', async () => {
    await loadMasterKey({ secretKey: undefined, dataDir })
    await chmod(join(dataDir, 'secret.key'), 0o644)
    await loadMasterKey({ secretKey: undefined, dataDir })
    expect((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600)
  })

  it('comes from SECRET_KEY alone when that is set', async () => {
    const secretKey = 'a passphrase of many words'
    const key = await loadMasterKey({ secretKey, dataDir })
    expect(await loadMasterKey({ secretKey, dataDir: join(dataDir, 'elsewhere') })).toEqual(key)
    expect(await readdir(dataDir)).toEqual([])
  })

  it('names its file where that cannot be read', async () => {
    const path = join(dataDir, 'secret.key')
    await mkdir(path)
    await expect(loadMasterKey({ secretKey: undefined, dataDir })).rejects.toThrow(
      `${path} cannot be read: `,
    )
  })

  it('refuses a short SECRET_KEY and a broken key file with a sentence', async () => {
    await expect(loadMasterKey({ secretKey: 'short', dataDir })).rejects.toThrow(/^SECRET_KEY must/)
    await writeFile(join(dataDir, 'secret.key'), 'not a key')
    await expect(loadMasterKey({ secretKey: undefined, dataDir })).rejects.toThrow(
      /does not hold a master key/,
    )
  })
})

describe('sealing text', () => {
  const secrets = createSecrets(randomBytes(32))

  it('gives back what was sealed and never the same sealed text twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const sealed = secrets.encrypt(text)
        expect(sealed).toMatch(/^v1:[A-Za-z0-9+/]+=*$/)
        expect(secrets.decrypt(sealed)).toBe(text)
        expect(secrets.encrypt(text)).not.toBe(sealed)
      }),
    )
  })

  it('refuses a text in which any byte was changed', () => {
    const bytes = Buffer.from(secrets.encrypt('sk-upstream').slice(3), 'base64')
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(() => secrets.decrypt(`v1:${changed.toString('base64')}`)).toThrow(/cannot be read/)
    }
  })

  it.each(['', 'plain', 'v1:', 'v1:AAAA', 'v2:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])(
    'refuses %j',
    (text) => {
      expect(() => secrets.decrypt(text)).toThrow(
        expect.objectContaining({ code: 'secrets.unreadable' }),
      )
    },
  )

  it('refuses what another master key sealed', () => {
    expect(() => createSecrets(randomBytes(32)).decrypt(secrets.encrypt('x'))).toThrow()
  })
})

describe('look-up and random text', () => {
  const masterKey = randomBytes(32)
  const secrets = createSecrets(masterKey)

  it('finds a text again after a restart, but not under another purpose', () => {
    const found = secrets.lookup('token', 'sk-1')
    expect(found).toMatch(/^[0-9a-f]{64}$/)
    expect(createSecrets(masterKey).lookup('token', 'sk-1')).toBe(found)
    expect(secrets.lookup('session', 'sk-1')).not.toBe(found)
  })

  it.each([0, -1, 1.5, Number.NaN, 1e9])('makes no random text of %d characters', (length) => {
    expect(() => secrets.random(length)).toThrow(RangeError)
  })

  it('draws every character of the alphabet about equally often', () => {
    const counts = new Map<string, number>()
    for (const letter of secrets.random(30_000, 'abc')) {
      counts.set(letter, (counts.get(letter) ?? 0) + 1)
    }
    expect([...counts.keys()].sort()).toEqual(['a', 'b', 'c'])
    // Five standard deviations of a fair draw are about 410.
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(500)
  })

  it('uses digits and letters when no alphabet is named', () => {
    expect(secrets.random(48)).toMatch(/^[0-9A-Za-z]{48}$/)
    expect(() => secrets.random(1, '')).toThrow(RangeError)
  })
})
