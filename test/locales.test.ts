// Both languages say the same things: a text that one lacks would be shown as its key.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isObject } from '../core/contract/json.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const folders = globSync('{console,plugins/*}/locales', { cwd: repository }).sort()

/** English has a form for one thing, Chinese has none. */
const plural = /_(?:one|other)$/

function textsIn(texts: unknown, prefix = ''): { key: string; text: string }[] {
  if (!isObject(texts)) return [{ key: prefix, text: String(texts) }]
  return Object.entries(texts).flatMap(([key, inner]) =>
    textsIn(inner, prefix === '' ? key : `${prefix}.${key}`),
  )
}

function allTexts(folder: string, language: string) {
  return textsIn(JSON.parse(readFileSync(`${repository}${folder}/${language}.json`, 'utf8')))
}

/** The keys of all texts, or of those that are such, without the ends that tell one thing from several. */
function read(folder: string, language: string, such = /^/): string[] {
  const found = allTexts(folder, language).filter(({ text }) => such.test(text))
  return [...new Set(found.map(({ key }) => key.replace(plural, '')))].sort()
}

/** Other words for the usage log (使用日志), a receipt (费用明细), an API token (API 令牌) and a Token of a model. */
const otherNames = /用量日志|账单明细|API 密钥与|(?<![\w{./-])tokens?(?![\w}./-])/

/** `textsOf('wallet')`, `desk.textsOf('wallet')`. */
const bindings = /const (\w+) = (?:\w+\.)?textsOf\(\s*'([\w-]+)'/g
const calls = /(?<![\w.])(\w+)\(\s*'([\w.-]+)'/g

/** What a journey asks for by its key, and whether one of the plugins behind that name has it. */
function asksOf(path: string): { ask: string; isThere: boolean }[] {
  const code = readFileSync(repository + path, 'utf8')
  const known = new Map<string, Set<string>>()
  for (const [, name = '', plugin = ''] of code.matchAll(bindings)) {
    const folder = plugin === 'console' ? 'console/locales' : `plugins/${plugin}/locales`
    const keys = allTexts(folder, 'en').map(({ key }) => key)
    known.set(name, new Set([...(known.get(name) ?? []), ...keys]))
  }
  return [...code.matchAll(calls)].flatMap(([, name = '', key = '']) => {
    const texts = known.get(name)
    return texts ? [{ ask: `${path}: ${key}`, isThere: texts.has(key) }] : []
  })
}

describe('the texts of the console', () => {
  it('are found', () => {
    expect(folders.length).toBeGreaterThan(10)
  })

  it.each(folders)('of %s are there in both languages', (folder) => {
    expect(read(folder, 'zh')).toEqual(read(folder, 'en'))
  })

  it.each(folders)('of %s are sentences in both languages or in none', (folder) => {
    expect(read(folder, 'zh', /。$/)).toEqual(read(folder, 'en', /\.$/))
  })

  it.each(folders)('of %s call a thing by one name in Chinese', (folder) => {
    const others = allTexts(folder, 'zh').filter(({ text }) => otherNames.test(text))
    expect(others).toEqual([])
  })

  // The settings page asks its own texts first: a plugin's words for the same place would never be shown.
  it('name a place of the settings page once', () => {
    const namesOf = (folder: string) =>
      read(folder, 'en').filter((key) => /^(?:sections|sectionHints|tabs)\./.test(key))
    const own = new Set(namesOf('plugins/settings/locales'))
    const others = folders.filter((folder) => /^plugins\/(?!settings\/)/.test(folder))
    expect(own.size).toBeGreaterThan(20)
    expect(
      others.flatMap((folder) =>
        namesOf(folder)
          .filter((key) => own.has(key))
          .map((key) => `${folder}: ${key}`),
      ),
    ).toEqual([])
  })

  // Most journeys are long, and would say so only before a release.
  it('are there where a journey asks for them', () => {
    const paths = globSync('test/journeys/**/*.ts', { cwd: repository }).sort()
    const asks = paths.flatMap(asksOf)
    expect(asks.length).toBeGreaterThan(150)
    expect(asks.filter(({ isThere }) => !isThere).map(({ ask }) => ask)).toEqual([])
  })
})
