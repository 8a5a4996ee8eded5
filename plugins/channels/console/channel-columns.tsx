import {
  type Column,
  firstNames,
  formatDollars,
  Hint,
  InlineNumber,
  Label,
  Labels,
  ProviderMark,
  Quota,
  type Texts,
  Time,
  splitList,
} from '#console'
import type { Channel } from './channel.ts'
import { BalanceCell } from './balance-cell.tsx'
import { ChannelStatus, Health, Pace } from './channel-state.tsx'
import { type ChannelType, typeName } from './channel-types.ts'
import { NoPrice } from './no-price.tsx'
import { lowestPriority } from './form/routing-fields.tsx'
import { isTagRow, modelsOf, type Row } from './tag-rows.ts'

export interface ChannelTools {
  t: Texts
  types: readonly ChannelType[]
  language: string
  /** The models in the list that have no price. */
  unpriced: ReadonlySet<string>
  /** Saves a number typed into a row; of a tag row, for all its channels. */
  saveNumber: (row: Row, field: 'priority' | 'weight', value: number) => Promise<unknown>
  updateBalance: (channel: Channel) => Promise<unknown>
}

export function channelColumns(tools: ChannelTools): Column<Row>[] {
  return [
    ...identityColumns(tools),
    ...stateColumns(tools),
    ...moneyColumns(tools),
    { ...numberColumn('priority', lowestPriority, tools), sortKey: 'priority' },
    { ...numberColumn('weight', 0, tools), isOptional: true },
    ...optionalColumns(tools.t),
  ]
}

function identityColumns({ t, types, language }: ChannelTools): Column<Row>[] {
  return [
    {
      id: 'name',
      title: t('column.name'),
      isTitle: true,
      render: (row) => (
        <Name row={row} provider={isTagRow(row) ? '' : typeName(types, row.type, language)} t={t} />
      ),
    },
    {
      id: 'type',
      title: t('column.type'),
      isOptional: true,
      render: (row) =>
        isTagRow(row) ? null : (
          <span className="cut-text channel-type" title={typeName(types, row.type, language)}>
            {typeName(types, row.type, language)}
          </span>
        ),
    },
    {
      id: 'group',
      title: t('column.group'),
      render: (row) => <Labels names={groupsOf(row)} most={1} />,
    },
  ]
}

function stateColumns({ t, unpriced }: ChannelTools): Column<Row>[] {
  return [
    {
      id: 'status',
      title: t('column.status'),
      card: 'status',
      render: (row) => (
        <span className="labels labels-line">
          <ChannelStatus row={row} />
          <NoPrice names={modelsOf(row).filter((model) => unpriced.has(model))} isShort />
        </span>
      ),
    },
    {
      id: 'health',
      title: t('column.health'),
      card: 'fact',
      render: (row) => <Health row={row} />,
    },
    {
      id: 'response',
      title: t('column.response'),
      sortKey: 'response_time',
      render: (row) => <Pace row={row} />,
    },
  ]
}

function moneyColumns({ t, types, updateBalance }: ChannelTools): Column<Row>[] {
  return [
    {
      id: 'used',
      title: t('column.used'),
      align: 'right',
      card: 'fact',
      sortKey: 'used_quota',
      render: ({ used_quota }) => <Quota units={used_quota} isAligned />,
    },
    {
      id: 'balance',
      title: t('column.balance'),
      align: 'right',
      sortKey: 'balance',
      render: (row) =>
        isTagRow(row) ? (
          <TagBalance channels={row.channels} />
        ) : (
          <BalanceCell
            channel={row}
            canUpdate={types.find(({ type }) => type === row.type)?.has_balance ?? false}
            onUpdate={updateBalance}
          />
        ),
    },
  ]
}

function numberColumn(
  field: 'priority' | 'weight',
  min: number,
  { t, saveNumber }: ChannelTools,
): Column<Row> {
  return {
    id: field,
    title: t(`column.${field}`),
    render: (row) => (
      <InlineNumber
        label={t('numberOf', {
          field: t(`column.${field}`),
          name: isTagRow(row) ? row.tag : row.name,
        })}
        value={row[field]}
        placeholder={t('mixed')}
        min={min}
        onSave={(value) => saveNumber(row, field, value)}
      />
    ),
  }
}

function optionalColumns(t: Texts): Column<Row>[] {
  return [
    {
      id: 'id',
      title: t('column.id'),
      isOptional: true,
      sortKey: 'id',
      render: (row) => (isTagRow(row) ? null : <Id row={row} />),
    },
    {
      id: 'models',
      title: t('column.models'),
      isOptional: true,
      render: (row) => <Models row={row} t={t} />,
    },
    {
      id: 'tag',
      title: t('column.tag'),
      isOptional: true,
      render: ({ tag }) => (tag ? <Label>{tag}</Label> : null),
    },
    {
      id: 'tested',
      title: t('column.tested'),
      isOptional: true,
      render: (row) => (isTagRow(row) ? null : <Time seconds={row.test_time} />),
    },
    {
      id: 'created',
      title: t('column.created'),
      isOptional: true,
      render: (row) => (isTagRow(row) ? null : <Time seconds={row.created_time} />),
    },
  ]
}

function Id({ row }: { row: Channel }) {
  return <span className="number muted">{row.id}</span>
}

function Name({ row, provider, t }: { row: Row; provider: string; t: Texts }) {
  if (!isTagRow(row)) {
    return (
      <span className="channel-name" title={`#${row.id} ${row.name}, ${provider}`}>
        <ProviderMark type={row.type} />
        <span>{row.name}</span>
      </span>
    )
  }
  // How many channels there are stands beside it, in the status.
  return (
    <span className="channel-name" title={row.tag}>
      <strong>{t('tagRow', { tag: row.tag })}</strong>
    </span>
  )
}

function groupsOf(row: Row): string[] {
  return isTagRow(row)
    ? [...new Set(row.channels.flatMap(({ group }) => splitList(group)))]
    : splitList(row.group)
}

function Models({ row, t }: { row: Row; t: Texts }) {
  const models = modelsOf(row)
  return (
    <Hint text={firstNames(models, t)}>
      <span className="number" tabIndex={0}>
        {t('models.count', { count: models.length })}
      </span>
    </Hint>
  )
}

/** The sum of the balances that are known. */
function TagBalance({ channels }: { channels: readonly Channel[] }) {
  const known = channels.filter(({ balance_updated_time }) => balance_updated_time > 0)
  if (known.length === 0) return <span className="muted">–</span>
  const sum = known.reduce((total, { balance }) => total + balance, 0)
  return <span className="number">{formatDollars(sum, 1)}</span>
}
