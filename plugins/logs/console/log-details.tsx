import {
  CopyButton,
  type Detail,
  Details,
  formatDuration,
  formatExact,
  type Texts,
  Time,
  useTexts,
  logType,
} from '#console'
import { Attempts } from './attempts.tsx'
import { noteOf } from './log-note.ts'
import {
  attemptsOf,
  durationOf,
  factsOf,
  type LogFacts,
  type LogRow,
  triedChannels,
} from './log-row.ts'
import { Receipt } from './receipt.tsx'

/** All facts about one call, except its receipt. */
export function LogDetails({ row, isAdmin }: { row: LogRow; isAdmin: boolean }) {
  const t = useTexts('logs')
  const facts = factsOf(row)
  // The price of a channel test is for information only; nobody is charged.
  const hasReceipt = row.type === logType.consume && facts.op === undefined
  const attempts = isAdmin ? attemptsOf(row) : []
  return (
    <div className="log-details">
      <Details items={[...callItems(row, facts, t), ...errorItems(row, facts, t, isAdmin)]} />
      {attempts.length > 0 ? <Attempts attempts={attempts} /> : null}
      {hasReceipt ? <Receipt row={row} facts={facts} /> : null}
    </div>
  )
}

function callItems(row: LogRow, facts: LogFacts, t: Texts): Detail[] {
  const { frt = -1, end } = facts
  const isCall = row.type === logType.consume
  return [
    { label: t('detail.time'), value: <Time seconds={row.created_at} /> },
    { label: t('detail.duration'), value: isCall && formatDuration(durationOf(row)) },
    { label: t('detail.user'), value: row.username },
    { label: t('detail.token'), value: facts.op === 'channel_test' ? '' : row.token_name },
    {
      label: t('detail.content'),
      // The drawer shows the message of a row that is no call above.
      value: row.model_name && !(isCall && facts.receipt) ? noteOf(row, t) : undefined,
      isWide: true,
    },
    {
      label: t('detail.end'),
      value: end && (t.has(`end.${end}`) ? t(`end.${end}`) : end),
      isWide: true,
    },
    {
      label: t('detail.estimated'),
      value: facts.estimated && t('detail.estimatedValue'),
      isWide: true,
    },
    {
      label: t('detail.upstreamModel'),
      value: facts.upstream_model_name && <code>{facts.upstream_model_name}</code>,
    },
    {
      label: t('detail.tokens'),
      value:
        isCall &&
        t('detail.tokensValue', {
          input: formatExact(row.prompt_tokens),
          output: formatExact(row.completion_tokens),
        }),
    },
    { label: t('detail.mode'), value: isCall && t(row.is_stream ? 'stream' : 'notStream') },
    { label: t('detail.firstToken'), value: isCall && frt >= 0 && formatDuration(frt) },
    { label: t('detail.speed'), value: speedOf(row, frt, t) },
    { label: t('detail.group'), value: row.group },
    { label: t('detail.finish'), value: facts.finish_reason && <code>{facts.finish_reason}</code> },
    { label: t('detail.effort'), value: facts.reasoning_effort },
    { label: t('detail.dropped'), value: facts.dropped_params?.join(', ') },
    // Rows of older versions list the channels that were tried, without results.
    {
      label: t('detail.channels'),
      value: attemptsOf(row).length === 0 && triedChannels(row).join(' → '),
    },
    {
      label: t('detail.request'),
      isWide: true,
      value: row.request_id && (
        <span className="secret-text">
          <code>{row.request_id}</code>
          <CopyButton text={row.request_id} label={t('detail.copyRequest')} />
        </span>
      ),
    },
  ].filter(({ value }) => value !== false)
}

function errorItems(row: LogRow, facts: LogFacts, t: Texts, isAdmin: boolean): Detail[] {
  if (row.type !== logType.error) return []
  return [
    { label: t('detail.path'), value: facts.request_path && <code>{facts.request_path}</code> },
    { label: t('detail.status'), value: facts.status_code },
    { label: t('detail.errorType'), value: facts.error_type && <code>{facts.error_type}</code> },
    { label: t('detail.errorCode'), value: facts.error_code },
    {
      label: t('detail.upstreamMessage'),
      value: isAdmin ? facts.admin_info?.upstream_message : undefined,
      isWide: true,
    },
  ]
}

/** Tokens per second after the first one, if the time is long enough to measure. */
function speedOf(row: LogRow, firstMs: number, t: Texts): string | false {
  const seconds = (durationOf(row) - Math.max(0, firstMs)) / 1000
  if (!row.is_stream || seconds < 0.5 || row.completion_tokens === 0) return false
  return t('detail.perSecond', { count: Math.round(row.completion_tokens / seconds) })
}
