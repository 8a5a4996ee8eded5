// The logos of providers and makers of models, found by the names in manifests and read once from the icon set.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Adapter, ChannelTypeInfo } from '../contract/adapter.ts'

/** A maker of models, from `config/defaults/makers.json` or a manifest. */
export interface Maker {
  name: string
  /** Without a mark, the first letters of the name are shown. */
  mark?: string
  /** The beginnings of its models' names, in lower case. */
  models: readonly string[]
}

/** `mono` takes the colour of the text around it; `color` has its own. */
export type MarkKind = 'mono' | 'color'

export interface Mark {
  kind: MarkKind
  svg: string
}

export interface ProviderFace {
  name: string
  mark: string
}

const iconFolder = dirname(
  fileURLToPath(import.meta.resolve('@lobehub/icons-static-svg/icons/openai.svg')),
)

/** Logos by name; each is looked up once per process. */
const read = new Map<string, Mark | undefined>()

/** The makers of models; those that adapters name come first. */
export function makersOf(adapters: readonly Adapter[], others: readonly Maker[]): Maker[] {
  const own = adapters.flatMap((adapter) => {
    const { makes = [] } = adapter
    return makes.length === 0
      ? []
      : [{ name: firstName(adapter), mark: markName(adapter), models: makes }]
  })
  return [...own, ...others]
}

/** By channel type number. */
export function providerFaces(adapters: readonly Adapter[]): Record<string, ProviderFace> {
  return Object.fromEntries(
    adapters.flatMap((adapter) =>
      Object.entries(adapter.channelTypes).map(([type, described]) => [
        type,
        { name: nameOf(described), mark: markName(adapter) },
      ]),
    ),
  )
}

/** All marks that adapters and makers name and that exist. */
export function marksOf(
  adapters: readonly Adapter[],
  makers: readonly Maker[],
): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>()
  for (const adapter of adapters) {
    const mark = adapter.mark?.startsWith('<svg') ? markOf(adapter.mark) : fromSet(adapter.mark)
    if (mark) marks.set(markName(adapter), mark)
  }
  for (const { mark } of makers) {
    const found = fromSet(mark)
    if (mark && found && !marks.has(mark)) marks.set(mark, found)
  }
  return marks
}

/** An adapter's own drawing is called `own-<id>`; names of the icon set contain no dash. */
function markName({ id, mark = '' }: Adapter): string {
  return mark.startsWith('<svg') ? `own-${id}` : mark
}

function firstName({ channelTypes }: Adapter): string {
  const [described = ''] = Object.values(channelTypes)
  return nameOf(described)
}

function nameOf(described: string | ChannelTypeInfo): string {
  return typeof described === 'string' ? described : described.name
}

/** The coloured drawing, if there is one that is also visible on a dark background. */
function fromSet(name: string | undefined): Mark | undefined {
  if (!name) return undefined
  if (!read.has(name)) read.set(name, inColour(name) ?? drawing(name))
  return read.get(name)
}

function inColour(name: string): Mark | undefined {
  const mark = drawing(`${name}-color`)
  return mark && (mark.kind === 'mono' || isSeenOnDark(mark.svg)) ? mark : undefined
}

function drawing(file: string): Mark | undefined {
  const path = join(iconFolder, `${file}.svg`)
  return existsSync(path) ? markOf(readFileSync(path, 'utf8')) : undefined
}

/** The relative luminance of its brightest colour; a darker logo is invisible on the cards of the dark theme. */
const LEAST_LUMINANCE = 0.03

function isSeenOnDark(svg: string): boolean {
  const colours = svg.match(/#(?:[\da-f]{6}|[\da-f]{3})\b/gi) ?? []
  return colours.length === 0 || colours.some((colour) => luminance(colour) >= LEAST_LUMINANCE)
}

function luminance(colour: string): number {
  const digits = colour.length === 4 ? colour.replace(/[\da-f]/gi, '$&$&') : colour
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => (Number.parseInt(digits.slice(at, at + 2), 16) / 255) ** 2.2,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function markOf(svg: string): Mark {
  return { svg, kind: svg.includes('currentColor') ? 'mono' : 'color' }
}
