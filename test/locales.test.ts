// Both languages say the same things: a text that one lacks would be shown as its key.
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isObject } from '../core/contract/json.ts'

const repository = new URL('..', import.meta.url).pathname
const folders = globSync('{console,plugins/*}/locales', { cwd: repository }).sort()

/** English has a form for one thing, Chinese has none. */
const plural = /_(?:one|other)$/

function keysOf(texts: unknown, prefix = ''): string[] {
  if (!isObject(texts)) return [prefix.replace(plural, '')]
  return Object.entries(texts).flatMap(([key, inner]) =>
    keysOf(inner, prefix === '' ? key : `${prefix}.${key}`),
  )
}

function read(folder: string, language: string): string[] {
  const text = readFileSync(`${repository}${folder}/${language}.json`, 'utf8')
  return [...new Set(keysOf(JSON.parse(text)))].sort()
}

describe('the texts of the console', () => {
  it('are found', () => {
    expect(folders.length).toBeGreaterThan(10)
  })

  it.each(folders)('of %s are there in both languages', (folder) => {
    expect(read(folder, 'zh')).toEqual(read(folder, 'en'))
  })
})
