// Writes docs/channel-types.md from the manifests of the adapters, with the number of models that have a price from the
// start.
import type { TSchema } from '@sinclair/typebox'
import { createPricing } from '../../billing/prices/pricing.ts'
import type { Adapter, ChannelTypeInfo } from '../../contract/adapter.ts'
import type { OptionDefinitions } from '../../contract/options.ts'
import { commonSettings } from '../../channels/common-settings.ts'
import { referencePage, tableOf } from './reference-page.ts'

/** Lower numbers are those of databases that can be imported. */
const FIRST_OWN_NUMBER = 1000

interface TypeRow {
  type: number
  info: ChannelTypeInfo
  adapter: Adapter
}

/** The page.
 *  @param core its default prices are those of a new installation */
export function channelTypesPage(adapters: readonly Adapter[], core: OptionDefinitions): string {
  const rows = adapters.flatMap(rowsOf).sort((left, right) => left.type - right.type)
  const next = 1 + Math.max(FIRST_OWN_NUMBER - 1, ...rows.map(({ type }) => type))
  const isPriced = pricedAtFirst(adapters, core)
  const page = referencePage(
    'Channel types',
    [
      'One row for each type of channel, from the manifests of the adapters. Made by `npm run docs`.',
      '',
      'Numbers up to 999 belong to the model project, whose databases can be imported: a type that it has keeps its number. Types of our own',
      `count from ${FIRST_OWN_NUMBER}; the next free number is ${next}. Models are those that the form offers; priced are those of them that a new`,
      'installation has a price for (see adapters/README.md), the admin prices the rest.',
    ].join('\n'),
    ['Type', 'Name', 'Adapter', 'Base URL', 'Operations', 'Models', 'Priced', 'What it is'],
    rows.map((row) => cellsOf(row, isPriced)),
  )
  return `${page}${settingsPart()}`
}

/** The settings that core reads, whatever the type. */
function settingsPart(): string {
  const rows = Object.entries(commonSettings.properties).map(([key, schema]) => [
    `\`${key}\``,
    valuesOf(schema),
    schema.description ?? '',
  ])
  return [
    '',
    '## Settings of every channel',
    '',
    "Keys of a channel's `setting`, a JSON object, beside those that its type adds (the form shows them). None is needed.",
    '',
    ...tableOf(['Key', 'Value', 'What it does'], rows),
    '',
  ].join('\n')
}

function valuesOf(schema: TSchema): string {
  const choices = (schema.anyOf ?? []) as TSchema[]
  return choices.length === 0
    ? String(schema.type)
    : choices.map((choice) => `\`${String(choice.const)}\``).join(', ')
}

function rowsOf(adapter: Adapter): TypeRow[] {
  return Object.entries(adapter.channelTypes).map(([type, info]) => ({
    type: Number(type),
    info: typeof info === 'string' ? { name: info } : info,
    adapter,
  }))
}

function cellsOf({ type, info, adapter }: TypeRow, isPriced: (model: string) => boolean): string[] {
  const models = info.models ?? adapter.models
  return [
    String(type),
    info.name,
    `\`${adapter.id}\``,
    info.baseUrl ?? adapter.baseUrl,
    [...Object.keys(adapter.operations), ...(adapter.tasks ? ['tasks'] : [])].join(', '),
    String(models.length),
    String(models.filter(isPriced).length),
    adapter.summary,
  ]
}

function pricedAtFirst(adapters: readonly Adapter[], { schema }: OptionDefinitions) {
  const properties = new Map(Object.entries(schema.properties))
  const pricing = createPricing({
    options: {
      get: <T>(key: string) => properties.get(key)?.default as T,
      onChange: () => () => undefined,
      schemaOf: (key) => properties.get(key),
    },
    adapters: () => adapters,
    log: { error: () => undefined },
  })
  return pricing.isPriced
}
