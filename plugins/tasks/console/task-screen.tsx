import { Button } from '@arco-design/web-react'
import { useMemo, useState } from 'react'
import {
  DataTable,
  FilterBar,
  type FilterField,
  Page,
  RefreshButton,
  type Texts,
  useIsAdmin,
  useList,
  useTextDialog,
  useTexts,
} from '#console'
import type { Task } from '../schema.ts'
import { statusTones, taskColumns } from './task-columns.tsx'

/** The interval at which the gateway asks the upstreams. */
const refetchEveryMs = 15_000

export default function TaskScreen() {
  const t = useTexts('tasks')
  const isAdmin = useIsAdmin()
  const [filters] = useState(defaultFilters)
  const list = useList<Task, typeof filters>(isAdmin ? '/api/task/' : '/api/task/self', {
    shape: 'array',
    firstPage: 0,
    filters,
    accepts: { status: Object.keys(statusTones) },
    refetchEveryMs,
  })
  const [show, textDialog] = useTextDialog()
  const columns = useMemo(
    () =>
      taskColumns({
        t,
        isAdmin,
        showText: (title, text) => show({ title, text }),
        showRecord: (task) =>
          show({
            title: () => t('record', { id: task.task_id }),
            text: JSON.stringify(task, null, 2),
            isCode: true,
          }),
      }),
    [t, isAdmin, show],
  )
  return (
    <Page
      title={t('title')}
      hint={t('hint')}
      actions={<RefreshButton label={t('refresh')} onClick={() => void list.refresh()} />}
    >
      <DataTable
        id="tasks"
        label={t('title')}
        list={list}
        columns={columns}
        nameOf={({ task_id, id }) => task_id || String(id)}
        empty={{
          title: t('empty'),
          hint: t('emptyHint'),
          action: (
            <Button onClick={() => list.setFilters({ start_timestamp: monthAgo() })}>
              {t('showMonth')}
            </Button>
          ),
        }}
        toolbar={<FilterBar list={list} fields={fieldsOf(t, isAdmin)} />}
      />
      {textDialog}
    </Page>
  )
}

function monthAgo(): string {
  return String(Math.floor(Date.now() / 1000) - 30 * 86_400)
}

/** From midnight today, without an end. */
function defaultFilters() {
  const today = new Date()
  today.setHours(0, 0, 0, 0)
  return {
    task_id: '',
    status: '',
    channel_id: '',
    start_timestamp: String(today.getTime() / 1000),
    end_timestamp: '',
  }
}

function fieldsOf(t: Texts, isAdmin: boolean): FilterField[] {
  return [
    { kind: 'search', name: 'task_id', label: t('filter.task') },
    {
      kind: 'select',
      name: 'status',
      label: t('column.status'),
      choices: Object.keys(statusTones)
        .filter(Boolean)
        .map((status) => ({ value: status, label: t(`status.${status}`) })),
    },
    { kind: 'period', names: ['start_timestamp', 'end_timestamp'], label: t('filter.period') },
    ...(isAdmin ? [{ kind: 'id' as const, name: 'channel_id', label: t('filter.channel') }] : []),
  ]
}
