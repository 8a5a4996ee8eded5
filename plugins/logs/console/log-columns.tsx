import {
  type Column,
  formatDuration,
  formatExact,
  formatTime,
  Label,
  Quota,
  type Texts,
  Time,
} from '#console'
import {
  Durations,
  Flow,
  LogNote,
  LogStatus,
  ModelCell,
  TokenCell,
  TypeTag,
  UserCell,
} from './log-cells.tsx'
import type { LogFilters } from './log-filters.ts'
import { noteOf } from './log-note.ts'
import { factsOf, isCall, isFailure, isTest, type LogRow, triedChannels } from './log-row.ts'

export interface LogColumnTools {
  t: Texts
  isAdmin: boolean
  showUser: (row: LogRow) => void
  /** Called when a value in a cell is clicked, to filter by it. */
  filter: (changes: Partial<LogFilters>) => void
}

export function logColumns(tools: LogColumnTools): Column<LogRow>[] {
  const { t, isAdmin, filter } = tools
  return [
    {
      id: 'time',
      title: t('column.time'),
      card: 'fact',
      render: ({ created_at }) => <Time seconds={created_at} />,
    },
    {
      id: 'model',
      title: t('column.model'),
      isTitle: true,
      render: (row) => <ModelCell row={row} onFilter={filter} />,
    },
    ...(isAdmin ? adminColumns(tools) : []),
    {
      id: 'token',
      title: t('column.token'),
      isOptional: isAdmin,
      render: (row) => <TokenCell row={row} onFilter={filter} />,
    },
    ...figureColumns(t),
    {
      id: 'status',
      title: t('column.status'),
      card: 'status',
      render: (row) => <LogStatus row={row} isAdmin={isAdmin} />,
    },
    ...optionalColumns(tools),
  ]
}

function adminColumns({ t, showUser, filter }: LogColumnTools): Column<LogRow>[] {
  return [
    {
      id: 'user',
      title: t('column.user'),
      card: 'fact',
      render: (row) => <UserCell row={row} onOpen={showUser} />,
    },
    {
      id: 'channel',
      title: t('column.channel'),
      render: ({ channel, channel_name }) =>
        channel > 0 ? (
          <button
            type="button"
            className="log-filter"
            title={t('filterBy', { value: `#${channel} ${channel_name}` })}
            onClick={() => filter({ channel: String(channel) })}
          >
            {channel_name || `#${channel}`}
          </button>
        ) : null,
    },
  ]
}

function figureColumns(t: Texts): Column<LogRow>[] {
  return [
    {
      id: 'flow',
      title: t('column.flow'),
      align: 'right',
      render: (row) => (isCall(row) ? <Flow row={row} /> : null),
    },
    {
      id: 'duration',
      title: t('column.duration'),
      align: 'right',
      render: (row) => (isCall(row) || isFailure(row) ? <Durations row={row} /> : null),
    },
    {
      id: 'cost',
      title: t('column.cost'),
      align: 'right',
      card: 'fact',
      render: (row) =>
        !isCall(row) ? null : isTest(row) ? (
          <span className="muted">{t('free')}</span>
        ) : (
          <Quota units={row.quota} isAligned />
        ),
    },
  ]
}

function optionalColumns({ t, isAdmin, filter }: LogColumnTools): Column<LogRow>[] {
  return [
    {
      id: 'group',
      title: t('column.group'),
      isOptional: true,
      render: ({ group }) =>
        group ? (
          <button type="button" className="log-filter" onClick={() => filter({ group })}>
            <Label>{group}</Label>
          </button>
        ) : null,
    },
    {
      id: 'type',
      title: t('column.type'),
      isOptional: true,
      render: ({ type }) => <TypeTag type={type} onFilter={filter} />,
    },
    {
      id: 'first',
      title: t('column.first'),
      align: 'right',
      isOptional: true,
      render: (row) => {
        const { frt = -1 } = factsOf(row)
        return isCall(row) && frt >= 0 ? (
          <span className="number">{formatDuration(frt)}</span>
        ) : null
      },
    },
    {
      id: 'cached',
      title: t('column.cached'),
      align: 'right',
      isOptional: true,
      render: (row) => {
        const { cache_tokens = 0 } = factsOf(row)
        return cache_tokens > 0 ? <span className="number">{formatExact(cache_tokens)}</span> : null
      },
    },
    ...(isAdmin ? [retryColumn(t)] : []),
    {
      id: 'content',
      title: t('column.content'),
      isOptional: true,
      render: (row) => <LogNote row={row} />,
    },
  ]
}

function retryColumn(t: Texts): Column<LogRow> {
  return {
    id: 'retry',
    title: t('column.retry'),
    isOptional: true,
    render: (row) => {
      const tried = triedChannels(row)
      if (tried.length > 1) return <span className="number">{tried.join(' → ')}</span>
      return row.channel > 0 ? <span className="muted">{t('noRetry')}</span> : null
    },
  }
}

/** Names the row in labels of buttons. */
export function nameOfRow(row: LogRow, t: Texts): string {
  return t('row', { time: formatTime(row.created_at), model: row.model_name || noteOf(row, t) })
}
