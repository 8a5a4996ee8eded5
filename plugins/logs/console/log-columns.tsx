import {
  type Column,
  formatDuration,
  formatExact,
  formatTime,
  Hint,
  Label,
  Quota,
  type Texts,
  Time,
} from '#console'
import {
  factsOf,
  type LogRow,
  logType,
  logTypes,
  noteOf,
  type Speed,
  speedOfCall,
  speedOfFirstToken,
  triedChannels,
} from './log-row.ts'

export interface LogColumnTools {
  t: Texts
  isAdmin: boolean
  showUser: (row: LogRow) => void
}

export function logColumns(tools: LogColumnTools): Column<LogRow>[] {
  const { t, isAdmin } = tools
  return [
    {
      id: 'time',
      title: t('column.time'),
      isTitle: true,
      render: ({ created_at }) => <Time seconds={created_at} />,
    },
    ...(isAdmin ? adminColumns(tools) : []),
    { id: 'token', title: t('column.token'), render: (row) => tokenOf(row, t) },
    {
      id: 'group',
      title: t('column.group'),
      isOptional: true,
      render: ({ group }) => (group ? <Label>{group}</Label> : null),
    },
    { id: 'type', title: t('column.type'), render: ({ type }) => <TypeTag type={type} t={t} /> },
    { id: 'model', title: t('column.model'), render: (row) => <Model row={row} t={t} /> },
    { id: 'duration', title: t('column.duration'), render: (row) => <Durations row={row} t={t} /> },
    ...costColumns(t),
    ...(isAdmin ? [retryColumn(t)] : []),
    {
      id: 'content',
      title: t('column.content'),
      isOptional: true,
      render: (row) => <span className="log-note">{noteOf(row, t)}</span>,
    },
  ]
}

function adminColumns({ t, showUser }: LogColumnTools): Column<LogRow>[] {
  return [
    {
      id: 'channel',
      title: t('column.channel'),
      render: ({ channel, channel_name }) =>
        channel > 0 ? (
          <Hint text={`#${channel} ${channel_name}`}>
            <span className="log-channel" tabIndex={0}>
              {channel_name || `#${channel}`}
            </span>
          </Hint>
        ) : null,
    },
    {
      id: 'user',
      title: t('column.user'),
      render: (row) =>
        row.username ? (
          <button
            type="button"
            className="log-user"
            aria-label={t('userInfo', { name: row.username })}
            onClick={() => showUser(row)}
          >
            {row.username}
          </button>
        ) : null,
    },
  ]
}

function retryColumn(t: Texts): Column<LogRow> {
  return {
    id: 'retry',
    title: t('column.retry'),
    render: (row) => {
      const tried = triedChannels(row)
      if (tried.length > 1) return <span className="number">{tried.join(' → ')}</span>
      return row.channel > 0 ? <span className="muted">{t('noRetry')}</span> : null
    },
  }
}

function costColumns(t: Texts): Column<LogRow>[] {
  return [
    {
      id: 'prompt',
      title: t('column.prompt'),
      align: 'right',
      render: (row) => (isCall(row) ? <InputTokens row={row} t={t} /> : null),
    },
    {
      id: 'completion',
      title: t('column.completion'),
      align: 'right',
      render: (row) =>
        isCall(row) ? <span className="number">{formatExact(row.completion_tokens)}</span> : null,
    },
    {
      id: 'cost',
      title: t('column.cost'),
      align: 'right',
      render: (row) => (isCall(row) ? <Quota units={row.quota} /> : null),
    },
  ]
}

/** Rows of a channel test have no token; the server writes a word of its own in its place. */
function tokenOf(row: LogRow, t: Texts): string {
  return factsOf(row).op === 'channel_test' ? t('testToken') : row.token_name
}

/** The row in words, for names of buttons. */
export function nameOfRow(row: LogRow, t: Texts): string {
  return t('row', { time: formatTime(row.created_at), model: row.model_name || noteOf(row, t) })
}

function isCall({ type }: LogRow): boolean {
  return type === logType.consumption
}

function InputTokens({ row, t }: { row: LogRow; t: Texts }) {
  const cached = factsOf(row).cache_tokens ?? 0
  return (
    <span className="number log-input">
      {formatExact(row.prompt_tokens)}
      {cached > 0 ? <small>{t('cached', { count: formatExact(cached) })}</small> : null}
    </span>
  )
}

function TypeTag({ type, t }: { type: number; t: Texts }) {
  const known = logTypes.some((entry) => entry === type) ? type : 0
  return <span className={`label log-type log-type-${known}`}>{t(`type.${known}`)}</span>
}

function Model({ row, t }: { row: LogRow; t: Texts }) {
  const { is_model_mapped, upstream_model_name } = factsOf(row)
  const note = isCall(row) ? '' : noteOf(row, t)
  return (
    <span className="log-model">
      {row.model_name ? <code>{row.model_name}</code> : null}
      {is_model_mapped ? <small>→ {upstream_model_name}</small> : null}
      {note ? <span className="log-note">{note}</span> : null}
    </span>
  )
}

function Durations({ row, t }: { row: LogRow; t: Texts }) {
  if (!isCall(row)) return null
  const { frt = -1 } = factsOf(row)
  return (
    <span className="log-durations number">
      <Chip speed={speedOfCall(row.use_time)}>
        {row.use_time === 0 ? t('underSecond') : formatDuration(row.use_time * 1000)}
      </Chip>
      {row.is_stream && frt >= 0 ? (
        <Chip speed={speedOfFirstToken(frt)}>{formatDuration(frt)}</Chip>
      ) : null}
      <small>{t(row.is_stream ? 'stream' : 'notStream')}</small>
    </span>
  )
}

function Chip({ speed, children }: { speed: Speed; children: string }) {
  return <span className={`label log-speed-${speed}`}>{children}</span>
}
