import {
  formatDuration,
  formatExact,
  Hint,
  logType,
  ModelMark,
  StatusTag,
  useIsPhone,
  useTexts,
} from '#console'
import type { LogFilters } from './log-filters.ts'
import { noteOf } from './log-note.ts'
import {
  attemptsOf,
  durationOf,
  factsOf,
  isCall,
  isTest,
  type LogRow,
  logTypes,
  speedOfCall,
  speedOfFirstToken,
} from './log-row.ts'

type OnFilter = (changes: Partial<LogFilters>) => void

/** The model, or the message of a row that is no call. */
export function ModelCell({ row, onFilter }: { row: LogRow; onFilter: OnFilter }) {
  const t = useTexts('logs')
  const isPhone = useIsPhone()
  const { is_model_mapped, upstream_model_name } = factsOf(row)
  const { model_name } = row
  if (!model_name) return <LogNote row={row} isMain />
  const name = is_model_mapped ? `${model_name} → ${upstream_model_name}` : model_name
  const face = (
    <>
      <ModelMark model={model_name} size="small" />
      <code>{model_name}</code>
    </>
  )
  // The title of a card opens it: a finger is told by nothing that it would filter.
  if (isPhone)
    return (
      <span className="log-main model-name" title={name}>
        {face}
      </span>
    )
  return (
    <button
      type="button"
      className="log-filter log-main model-name"
      title={t('filterBy', { value: name })}
      onClick={() => onFilter({ model_name })}
    >
      {face}
    </button>
  )
}

/** The message of a row, in full in the tooltip where it is cut off. */
export function LogNote({ row, isMain = false }: { row: LogRow; isMain?: boolean }) {
  const t = useTexts('logs')
  const note = noteOf(row, t)
  return (
    <span className={isMain ? 'log-note log-main' : 'log-note'} title={note}>
      {note}
    </span>
  )
}

export function UserCell({ row, onOpen }: { row: LogRow; onOpen: (row: LogRow) => void }) {
  const t = useTexts('logs')
  if (!row.username) return null
  return (
    <button
      type="button"
      className="log-filter"
      aria-label={t('userInfo', { name: row.username })}
      title={row.username}
      onClick={() => onOpen(row)}
    >
      {row.username}
    </button>
  )
}

/** Rows of a channel test have no token; the server puts a fixed word in its place. */
export function TokenCell({ row, onFilter }: { row: LogRow; onFilter: OnFilter }) {
  const t = useTexts('logs')
  const { token_name } = row
  if (isTest(row)) return <span className="muted">{t('testToken')}</span>
  if (!token_name) return null
  return (
    <button
      type="button"
      className="log-filter"
      title={t('filterBy', { value: token_name })}
      onClick={() => onFilter({ token_name })}
    >
      {token_name}
    </button>
  )
}

/** Input and output tokens, with the arrows of a column aligned. */
export function Flow({ row }: { row: LogRow }) {
  const t = useTexts('logs')
  const { cache_tokens = 0 } = factsOf(row)
  const flow = (
    <span className="number log-flow" tabIndex={cache_tokens > 0 ? 0 : undefined}>
      <span>{formatExact(row.prompt_tokens)}</span>
      <span className="muted">→</span>
      <span>{formatExact(row.completion_tokens)}</span>
    </span>
  )
  if (cache_tokens <= 0) return flow
  return <Hint text={t('cached', { count: formatExact(cache_tokens) })}>{flow}</Hint>
}

/** The duration of the call: slow ones are coloured, the tooltip has the time to the first token. */
export function Durations({ row }: { row: LogRow }) {
  const t = useTexts('logs')
  const { frt = -1 } = factsOf(row)
  const hasFirst = row.is_stream && frt >= 0
  const speed =
    hasFirst && speedOfFirstToken(frt) !== 'good'
      ? speedOfFirstToken(frt)
      : speedOfCall(durationOf(row) / 1000)
  const hint = hasFirst
    ? t('firstToken', { time: formatDuration(frt), mode: t('stream') })
    : t(row.is_stream ? 'stream' : 'notStream')
  return (
    <Hint text={hint}>
      <span className={`number log-speed-${speed}`} tabIndex={0}>
        {formatDuration(durationOf(row))}
      </span>
    </Hint>
  )
}

/** What is no call that was cut short, of those that were not completed by a provider. */
const ends = new Map<string, { tone: 'danger' | 'success'; name: string }>([
  ['no_output', { tone: 'danger', name: 'empty' }],
  ['cached', { tone: 'success', name: 'cached' }],
])

/** The result of a call, or the kind of another row. */
export function LogStatus({ row, isAdmin }: { row: LogRow; isAdmin: boolean }) {
  const t = useTexts('logs')
  const facts = factsOf(row)
  if (row.type === logType.error) {
    return (
      <StatusTag tone="danger" hint={noteOf(row, t)}>
        {facts.status_code ?? t('type.5')}
      </StatusTag>
    )
  }
  if (!isCall(row)) return <TypeTag type={row.type} />
  if (isTest(row)) return <StatusTag tone="info">{t('status.test')}</StatusTag>
  const { end } = facts
  if (end && end !== 'completed') {
    const words = t.has(`end.${end}`) ? t(`end.${end}`) : end
    const { tone, name } = ends.get(end) ?? { tone: 'warning', name: 'broken' }
    return (
      <StatusTag tone={tone} hint={words}>
        {t(`status.${name}`)}
      </StatusTag>
    )
  }
  const tries = isAdmin ? attemptsOf(row).length : 1
  return (
    <StatusTag tone="success">
      {tries > 1 ? t('status.tries', { tries }) : t('status.ok')}
    </StatusTag>
  )
}

export function TypeTag({ type, onFilter }: { type: number; onFilter?: OnFilter }) {
  const t = useTexts('logs')
  const known = logTypes.some((entry) => entry === type) ? type : 0
  const tag = <span className={`label log-type log-type-${known}`}>{t(`type.${known}`)}</span>
  if (!onFilter) return tag
  return (
    <button type="button" className="log-filter" onClick={() => onFilter({ type: String(type) })}>
      {tag}
    </button>
  )
}
