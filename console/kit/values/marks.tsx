import { type CSSProperties, useMemo } from 'react'
import { useData } from '../../api/use-data.ts'
import { findMaker, type Maker } from './find-maker.ts'
import '../../style/marks.css'

/** What the server's adapters say about logos. */
interface MarkTable {
  makers: readonly Maker[]
  /** How a drawing is coloured; a name that is not among them has none. */
  marks: Readonly<Record<string, 'mono' | 'color'>>
  /** By channel type; for admins. */
  providers: Readonly<Record<string, { name: string; mark: string }>>
}

const none: MarkTable = { makers: [], marks: {}, providers: {} }

function useMarks(): MarkTable {
  return useData<MarkTable>('/api/mark/', { staleMs: Number.POSITIVE_INFINITY }).data ?? none
}

export type MarkSize = 'small' | 'normal' | 'large'

/** The logo of a channel type, or the first letters of its name. Its name stands beside it; screen readers pass it over. */
export function ProviderMark({
  type,
  name,
  size,
}: {
  type: number
  /** Left out: as the adapter calls it. */
  name?: string
  size?: MarkSize
}) {
  const { providers, marks } = useMarks()
  const provider = providers[String(type)]
  return (
    <Face
      mark={provider?.mark}
      kind={marks[provider?.mark ?? '']}
      name={name ?? provider?.name ?? '#'}
      size={size}
    />
  )
}

/** The logo of whoever makes a model. */
export function ModelMark({ model, size }: { model: string; size?: MarkSize }) {
  const { makers, marks } = useMarks()
  const maker = useMemo(() => findMaker(makers, model), [makers, model])
  return (
    <Face
      mark={maker?.mark}
      kind={marks[maker?.mark ?? '']}
      name={maker?.name ?? model}
      size={size}
      title={maker?.name}
    />
  )
}

/** A model with its maker's mark on one line; what does not fit is cut, the whole name stands in the tooltip. */
export function ModelName({ name }: { name: string }) {
  return (
    <span className="model-name">
      <ModelMark model={name} size="small" />
      <code title={name}>{name}</code>
    </span>
  )
}

function Face({
  mark,
  kind,
  name,
  size = 'normal',
  title,
}: {
  mark: string | undefined
  kind: 'mono' | 'color' | undefined
  name: string
  size: MarkSize | undefined
  title?: string | undefined
}) {
  const look = `mark mark-${size}`
  if (!mark || !kind) {
    return (
      <span className={`${look} mark-letters`} aria-hidden title={title}>
        {lettersOf(name)}
      </span>
    )
  }
  const address = `/marks/${encodeURIComponent(mark)}.svg`
  if (kind === 'color') {
    return <img className={look} src={address} alt="" title={title} loading="lazy" />
  }
  // A drawing of one colour is a hole through which the colour of the text is seen: so it is right in both themes.
  const hole = { '--mark': `url("${address}")` } as CSSProperties
  return <span className={`${look} mark-mono`} style={hole} aria-hidden title={title} />
}

/** `Black Forest Labs` is BF, `MokaAI` M, `自定义` 自. */
function lettersOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const [first = '?', second = ''] = words.map((word) => /^./u.exec(word)?.[0] ?? '')
  return /^[\p{Script=Latin}\p{N}]/u.test(first) ? (first + second).toUpperCase() : first
}
