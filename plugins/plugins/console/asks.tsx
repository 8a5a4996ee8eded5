import { api, confirm, groupBy, Label, textsOf, type Texts, useTexts } from '#console'
import type { PluginAsks, PluginRow } from '../schema.ts'

type Ask = PluginAsks['asks'][number]

/** The kinds in the order of their weight. */
const kinds = [
  'service',
  'host',
  'table',
  'route',
  'secret',
  'variable',
  'console',
  'origin',
  'command',
  'channel',
] as const

/** Services that move money. */
const money: ReadonlySet<string> = new Set(['ledger', 'paymentProviders', 'pricing'])

export interface AskGroup {
  kind: string
  /** Empty: everything of the kind. */
  names: string[]
  isNew: boolean
}

/** Money apart from the other services. */
export function groupAsks(asks: readonly Ask[]): AskGroup[] {
  const kindOf = ({ kind, name }: Ask) => (kind === 'service' && money.has(name) ? 'money' : kind)
  const groups = groupBy(asks, kindOf)
  return ['money', ...kinds].flatMap((kind) => {
    const own = groups.get(kind)
    if (!own) return []
    const isAll = own.some(({ name }) => name === '*')
    return [
      {
        kind,
        names: isAll ? [] : own.map(({ name }) => name),
        isNew: own.some(({ is_new: isNew }) => isNew),
      },
    ]
  })
}

function AskList({ asks, isAgain }: { asks: readonly Ask[]; isAgain: boolean }) {
  const t = useTexts('plugins')
  return (
    <>
      <p>{t(isAgain ? 'asks.again' : 'asks.hint')}</p>
      <ul className="plugin-asks">
        {groupAsks(asks).map(({ kind, names, isNew }) => (
          <li key={kind}>
            <strong>{t(`asks.kind.${kind}`)}</strong>
            {isAgain && isNew ? <em className="tone-warning">{t('asks.isNew')}</em> : null}
            {names.length > 0 ? (
              <span className="labels">
                {names.map((name) => (
                  <Label key={name} isCode>
                    {name}
                  </Label>
                ))}
              </span>
            ) : kind === 'console' ? null : (
              <span className="tone-warning">{t('asks.all')}</span>
            )}
          </li>
        ))}
      </ul>
      <p className="muted">{t('asks.trust')}</p>
    </>
  )
}

/** Shows what a plugin from outside asks for, where somebody has to confirm it.
 *  @returns the hash to send, nothing where nothing has to be confirmed; undefined when the person turned it down */
export async function confirmAsks(
  row: Pick<PluginRow, 'id' | 'name' | 'source'>,
  version?: string,
): Promise<{ confirm?: string } | undefined> {
  if (row.source === 'built-in') return {}
  const path = `/api/plugin/${encodeURIComponent(row.id)}/asks`
  const { asks, hash, is_open: isOpen } = await api.get<PluginAsks>(path, { query: { version } })
  if (!isOpen) return { confirm: hash }
  const t: Texts = textsOf('plugins')
  const isAgreed = await confirm(() => ({
    title: t('asks.title', { name: row.name }),
    content: <AskList asks={asks} isAgain={asks.some(({ is_new: isNew }) => !isNew)} />,
    confirmLabel: t('asks.confirm'),
  }))
  return isAgreed ? { confirm: hash } : undefined
}
