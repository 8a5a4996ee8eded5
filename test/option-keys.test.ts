// The option table of the console API (fixtures/option-keys.json) against what core and the plugins declare, and who reads it.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { TSchema } from '@sinclair/typebox'
import { defaults } from '../config/defaults.ts'
import { coreOptions } from '../core/app/core-options.ts'
import type { OptionDefinitions } from '../core/contract/options.ts'
import { discover, load } from '../core/kernel/discover.ts'
import { uiOf } from '../core/kernel/options/option-codec.ts'
import wanted from './fixtures/option-keys.json' with { type: 'json' }

/** What the first letter of a type in the table is in a schema. */
const schemaTypes: Readonly<Record<string, readonly string[]>> = {
  B: ['boolean'],
  I: ['integer'],
  F: ['number'],
  S: ['string'],
  M: ['string'],
  J: ['object', 'array'],
}

const root = fileURLToPath(new URL('..', import.meta.url))
const plugins = await pluginOptions()
const declared = new Map(
  [coreOptions(defaults), ...plugins.values()].flatMap(({ schema }) =>
    Object.entries(schema.properties),
  ),
)
const sources = globSync('{core,adapters,plugins}/**/*.ts', {
  cwd: root,
  exclude: (path) => path.includes('console') || path.endsWith('.test.ts'),
}).map((file) => readFileSync(join(root, file), 'utf8'))

async function pluginOptions(): Promise<Map<string, OptionDefinitions>> {
  const outcomes = await Promise.all((await discover(root, [])).map((found) => load(found)))
  return new Map(
    outcomes.flatMap((outcome) =>
      'manifest' in outcome && outcome.manifest.kind === 'plugin' && outcome.manifest.options
        ? [[outcome.manifest.id, outcome.manifest.options] as const]
        : [],
    ),
  )
}

/** Named in the code other than as the property that declares it, alone or by its part after the group. */
function isRead(key: string): boolean {
  const names = key.includes('.') ? [key, key.slice(key.indexOf('.'))] : [key]
  return names.some((name) => sources.some((text) => isNamed(text, name)))
}

function isNamed(text: string, name: string): boolean {
  return ["'", '`'].some((quote) => {
    const [, ...after] = text.split(name + quote)
    return after.some((rest) => !rest.startsWith(':'))
  })
}

function labelsOf(plugin: string, language: string): object {
  const file = join(root, `plugins/${plugin}/locales/${language}.json`)
  return (JSON.parse(readFileSync(file, 'utf8')) as { options?: object }).options ?? {}
}

/** Flat, or with an object for what stands before the dot. */
function hasLabel(labels: object, key: string): boolean {
  if (Object.hasOwn(labels, key)) return true
  const [group = '', field = ''] = key.split('.')
  const inner: unknown = (labels as Record<string, unknown>)[group]
  return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, field)
}

describe('the options of the console API', () => {
  it('are all declared', () => {
    const missing = wanted.filter(({ key }) => !declared.has(key)).map(({ key }) => key)
    expect(missing).toEqual([])
  })

  it.each(wanted.filter(({ key }) => declared.has(key)))(
    '$key has the type and the secrecy of the table',
    ({ key, type, secret }) => {
      const schema = declared.get(key) as TSchema
      // A choice is a union of its words.
      expect(schemaTypes[type]).toContain(schema['type'] ?? schema['anyOf']?.[0]?.type)
      expect(uiOf(schema).secret ?? false).toBe(secret)
      expect(schema['default']).toBeDefined()
    },
  )

  it('all have a reader, but for those that only older consoles know', () => {
    const shown = [...declared].filter(([, schema]) => !uiOf(schema).hidden).map(([key]) => key)
    expect(shown.filter((key) => !isRead(key))).toEqual([])
  })

  it('have a label in both languages where a plugin brings them', () => {
    const unnamed = [...plugins].flatMap(([id, { schema }]) =>
      ['en', 'zh'].flatMap((language) => {
        const file = `plugins/${id}/locales/${language}.json`
        const texts = JSON.parse(readFileSync(join(root, file), 'utf8')) as { options?: object }
        const shown = Object.entries(schema.properties).filter(([, one]) => !uiOf(one).hidden)
        return shown
          .filter(([key]) => !Object.hasOwn(texts.options ?? {}, key))
          .map(([key]) => `${file} lacks options.${key}`)
      }),
    )
    expect(unnamed).toEqual([])
  })

  it('have a label in both languages where core brings them: the settings page speaks for core', () => {
    const shown = Object.entries(coreOptions(defaults).schema.properties)
      .filter(([, one]) => !uiOf(one).hidden)
      .map(([key]) => key)
    for (const language of ['en', 'zh']) {
      const texts = ['settings', 'model-prices'].map((id) => labelsOf(id, language))
      const unnamed = shown.filter((key) => !texts.some((labels) => hasLabel(labels, key)))
      expect(unnamed, language).toEqual([])
    }
  })

  it('all name a tab and a section of the settings page', () => {
    const homeless = [...declared].filter(
      ([, schema]) => !uiOf(schema).tab || !uiOf(schema).section,
    )
    expect(homeless.map(([key]) => key)).toEqual([])
  })
})
