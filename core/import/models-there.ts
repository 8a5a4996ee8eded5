// What the models of a channel are called at its provider.
import { splitList } from '../contract/comma-list.ts'
import type { TypeHere } from './family.ts'
import type { OldRow } from './old-row.ts'

/** The mapping, with a name without dots where the other gateway left them out by itself. */
export function mappingOf(row: OldRow, here: TypeHere | undefined): string {
  const text = row.text('model_mapping')
  if (row.whole('created_time') >= (here?.dotlessUntil ?? 0)) return text
  const dotless = namesOf(row)
    .filter(([, name]) => name.includes('.'))
    .map(([model, name]) => [model, name.replaceAll('.', '')])
  if (dotless.length === 0) return text
  return JSON.stringify({ ...row.object('model_mapping'), ...Object.fromEntries(dotless) })
}

/** What all models are called, without the beginning; empty if they are several. */
export function onlyNameOf(row: OldRow, beginning: string): string {
  const names = namesOf(row).map(([, name]) =>
    name.startsWith(beginning) ? name.slice(beginning.length) : name,
  )
  const [only = '', ...more] = new Set(names)
  return more.length === 0 ? only : ''
}

/** Each model with its name there. Mappings may follow one another; one that comes back ends where it began. */
function namesOf(row: OldRow): (readonly [string, string])[] {
  const mapping = new Map(Object.entries(row.object('model_mapping')))
  return splitList(row.text('models')).map((model) => {
    const seen = new Set([model])
    let name = model
    for (;;) {
      const next = mapping.get(name)
      if (typeof next !== 'string' || next === '' || seen.has(next)) return [model, name] as const
      seen.add(next)
      name = next
    }
  })
}
