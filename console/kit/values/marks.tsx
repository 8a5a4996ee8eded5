import { type CSSProperties, useMemo } from 'react'
import { useData } from '../../api/use-data.ts'
import { findMaker, type Maker } from './find-maker.ts'
import '../../style/marks.css'

/** Logos, as the adapters of the server state them. */
interface MarkTable {
  makers: readonly Maker[]
  /** How each drawing is coloured. A name that is not listed has no drawing. */
  marks: Readonly<Record<string, 'mono' | 'color'>>
  /** Names and logos by channel type; empty for everybody but admins. */
  providers: Readonly<Record<string, { name: string; mark: string }>>
}

const none: MarkTable = { makers: [], marks: {}, providers: {} }

function useMarks(): MarkTable & Pick<FaceProps, 'isAwaited'> {
  const { data, isLoading } = useData<MarkTable>('/api/mark/', {
    staleMs: Number.POSITIVE_INFINITY,
  })
  return { ...(data ?? none), isAwaited: isLoading }
}

export type MarkSize = 'small' | 'normal' | 'large'

/** The logo of a channel type, or the first letters of its name. Screen readers skip it, because the name stands
 *  beside it. */
export function ProviderMark({
  type,
  name,
  size,
}: {
  type: number
  /** Left out: the name that the adapter gives. */
  name?: string
  size?: MarkSize
}) {
  const { providers, marks, isAwaited } = useMarks()
  const provider = providers[String(type)]
  return (
    <Face
      mark={provider?.mark}
      kind={marks[provider?.mark ?? '']}
      name={name ?? provider?.name ?? '#'}
      size={size}
      isAwaited={isAwaited}
    />
  )
}

/** The logo of a model's maker. */
export function ModelMark({ model, size }: { model: string; size?: MarkSize }) {
  const { makers, marks, isAwaited } = useMarks()
  const maker = useMemo(() => findMaker(makers, model), [makers, model])
  return (
    <Face
      mark={maker?.mark}
      kind={marks[maker?.mark ?? '']}
      name={maker?.name ?? model}
      size={size}
      isAwaited={isAwaited}
      title={maker?.name}
    />
  )
}

/** A model's name beside the logo of its maker, on one line. A long name is cut; the tooltip has all of it. */
export function ModelName({ name }: { name: string }) {
  return (
    <span className="model-name">
      <ModelMark model={name} size="small" />
      <code title={name}>{name}</code>
    </span>
  )
}

interface FaceProps {
  mark: string | undefined
  kind: 'mono' | 'color' | undefined
  name: string
  size: MarkSize | undefined
  /** Which drawing it has is not known yet: letters would give way to it in a moment. */
  isAwaited: boolean
  title?: string | undefined
}

function Face({ mark, kind, name, size = 'normal', isAwaited, title }: FaceProps) {
  const look = `mark mark-${size}`
  if (!mark || !kind) {
    return (
      <span className={`${look} mark-letters`} aria-hidden title={title}>
        {isAwaited ? null : lettersOf(name)}
      </span>
    )
  }
  const address = `/marks/${encodeURIComponent(mark)}.svg`
  if (kind === 'color') {
    return <img className={look} src={address} alt="" title={title} loading="lazy" />
  }
  // A drawing of one colour is used as a mask for the text colour, so that it fits both themes.
  const hole = { '--mark': `url("${address}")` } as CSSProperties
  return <span className={`${look} mark-mono`} style={hole} aria-hidden title={title} />
}

/** Initials: BF for `Black Forest Labs`, M for `MokaAI`, 自 for `自定义`. */
function lettersOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const [first = '?', second = ''] = words.map((word) => /^./u.exec(word)?.[0] ?? '')
  return /^[\p{Script=Latin}\p{N}]/u.test(first) ? (first + second).toUpperCase() : first
}
