import {
  type Column,
  CopyLabel,
  Label,
  Progress,
  StatusTag,
  type Texts,
  TextPreview,
  Time,
  TookTime,
} from '#console'
import type { Drawing } from '../schema.ts'
import {
  actions,
  codeTones,
  durationOf,
  isShowable,
  percentOf,
  slowMs,
  statusTones,
} from './drawing-words.ts'

export interface DrawingTools {
  t: Texts
  isAdmin: boolean
  showText(title: () => string, text: string): void
  showPicture(drawing: Drawing): void
}

export function drawingColumns(tools: DrawingTools): Column<Drawing>[] {
  const { t, isAdmin } = tools
  return [
    {
      id: 'submitted',
      title: t('column.submitted'),
      card: 'fact',
      render: ({ submit_time }) => <Time seconds={Math.floor(submit_time / 1000)} />,
    },
    {
      id: 'duration',
      title: t('column.duration'),
      render: (row) => <TookTime ms={durationOf(row)} slowMs={slowMs} />,
    },
    ...(isAdmin ? [channelColumn(t)] : []),
    {
      id: 'action',
      title: t('column.action'),
      card: 'fact',
      render: ({ action }) => (
        <span className="drawing-action">
          <Label>{actions.includes(action) ? t(`action.${action}`) : action}</Label>
        </span>
      ),
    },
    {
      id: 'task',
      title: t('column.task'),
      isTitle: true,
      render: ({ mj_id }) => <CopyLabel text={mj_id} message={t('copiedTask')} />,
    },
    ...(isAdmin ? resultColumns(t) : []),
    {
      id: 'progress',
      title: t('column.progress'),
      card: 'status',
      render: ({ progress, status }) => {
        const percent = percentOf(progress)
        return percent === undefined ? (
          progress
        ) : (
          <Progress
            percent={percent}
            label={t('column.progress')}
            fault={status === 'FAILURE' ? t('status.FAILURE') : undefined}
          />
        )
      },
    },
    {
      id: 'picture',
      title: t('column.picture'),
      render: (row) => <Thumbnail row={row} tools={tools} />,
    },
    ...textColumns(tools),
  ]
}

function channelColumn(t: Texts): Column<Drawing> {
  return {
    id: 'channel',
    title: t('column.channel'),
    render: ({ channel_id: id }) => (
      <CopyLabel text={String(id)} message={t('copiedChannel', { id })} />
    ),
  }
}

function resultColumns(t: Texts): Column<Drawing>[] {
  return [
    {
      id: 'result',
      title: t('column.result'),
      render: ({ code }) => (
        <StatusTag tone={codeTones[code] ?? 'off'}>
          {code in codeTones ? t(`code.${code}`) : t('code.other', { code })}
        </StatusTag>
      ),
    },
    {
      id: 'status',
      title: t('column.status'),
      render: ({ status }) => (
        <StatusTag tone={statusTones[status] ?? 'off'}>
          {status in statusTones ? t(`status.${status}`) : t('status.unknown')}
        </StatusTag>
      ),
    },
  ]
}

function textColumns({ t, showText }: DrawingTools): Column<Drawing>[] {
  const column = (id: 'prompt' | 'prompt_en' | 'fail_reason'): Column<Drawing> => {
    const title = () => t(`column.${id}`)
    return {
      id,
      title: title(),
      render: (row) => <TextPreview text={row[id]} onOpen={() => showText(title, row[id])} />,
    }
  }
  return [column('prompt'), column('prompt_en'), column('fail_reason')]
}

function Thumbnail({ row, tools: { t, showPicture } }: { row: Drawing; tools: DrawingTools }) {
  if (!isShowable(row.image_url)) return <span className="muted">–</span>
  return (
    <button
      type="button"
      className="drawing-thumbnail"
      aria-label={t('showPicture', { id: row.mj_id })}
      onClick={() => showPicture(row)}
    >
      <img src={row.image_url} alt="" loading="lazy" referrerPolicy="no-referrer" />
    </button>
  )
}
