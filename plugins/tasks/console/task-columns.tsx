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
  type Tone,
} from '#console'
import type { Task } from '../schema.ts'

export interface TaskTools {
  t: Texts
  isAdmin: boolean
  showText(title: () => string, text: string): void
  showRecord(task: Task): void
}

/** A task that took longer is marked as slow. */
const slowMs = 60_000

/** The empty status is a task that is being submitted. */
export const statusTones: Readonly<Record<string, Tone>> = {
  '': 'off',
  NOT_START: 'off',
  SUBMITTED: 'info',
  QUEUED: 'info',
  IN_PROGRESS: 'info',
  SUCCESS: 'success',
  FAILURE: 'danger',
  UNKNOWN: 'warning',
}

const actions: readonly string[] = ['MUSIC', 'LYRICS']
const platforms: readonly string[] = ['suno']

export function taskColumns(tools: TaskTools): Column<Task>[] {
  const { t, isAdmin } = tools
  return [
    {
      id: 'submitted',
      title: t('column.submitted'),
      card: 'fact',
      render: ({ submit_time }) => <Time seconds={submit_time} />,
    },
    {
      id: 'finished',
      title: t('column.finished'),
      render: ({ finish_time }) => <Time seconds={finish_time} />,
    },
    {
      id: 'progress',
      title: t('column.progress'),
      render: (task) => <TaskProgress task={task} t={t} />,
    },
    {
      id: 'duration',
      title: t('column.duration'),
      render: (task) => <TookTime ms={durationOf(task)} slowMs={slowMs} />,
    },
    ...(isAdmin ? [channelColumn(t)] : []),
    {
      id: 'platform',
      title: t('column.platform'),
      render: ({ platform }) => (
        <Label>{platforms.includes(platform) ? t(`platform.${platform}`) : platform}</Label>
      ),
    },
    {
      id: 'action',
      title: t('column.action'),
      card: 'fact',
      render: ({ action }) => (
        <Label>{actions.includes(action) ? t(`action.${action}`) : action || '–'}</Label>
      ),
    },
    ...outcomeColumns(tools),
  ]
}

function outcomeColumns({ t, showText, showRecord }: TaskTools): Column<Task>[] {
  return [
    {
      id: 'task',
      title: t('column.task'),
      isTitle: true,
      render: (task) => (
        <span className="code">
          <TextPreview text={task.task_id} onOpen={() => showRecord(task)} />
        </span>
      ),
    },
    {
      id: 'status',
      title: t('column.status'),
      card: 'status',
      render: ({ status }) => {
        const known = status in statusTones ? status : 'UNKNOWN'
        return (
          <StatusTag tone={statusTones[known] ?? 'off'}>{t(`status.${known || 'NONE'}`)}</StatusTag>
        )
      },
    },
    {
      id: 'reason',
      title: t('column.reason'),
      render: ({ fail_reason: text }) => (
        <TextPreview text={text} onOpen={() => showText(() => t('column.reason'), text)} />
      ),
    },
  ]
}

function channelColumn(t: Texts): Column<Task> {
  return {
    id: 'channel',
    title: t('column.channel'),
    render: ({ channel_id: id }) => (
      <CopyLabel text={String(Math.max(id, 0))} message={t('copiedChannel', { id })} />
    ),
  }
}

/** A progress circle, or the upstream's own text if it is no number. */
function TaskProgress({ task: { progress, status }, t }: { task: Task; t: Texts }) {
  const percent = Number(progress.trim().replace(/%$/, '') || Number.NaN)
  if (!Number.isFinite(percent)) return progress || <span className="muted">–</span>
  return (
    <Progress
      isCircle
      percent={percent}
      label={t('column.progress')}
      fault={status === 'FAILURE' ? t('status.FAILURE') : undefined}
    />
  )
}

/** Undefined while the task is running. */
function durationOf({ submit_time: from, finish_time: to }: Task): number | undefined {
  return from > 0 && to >= from ? (to - from) * 1000 : undefined
}
