import { Alert, Button } from '@arco-design/web-react'
import { IconDownload } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import {
  type Action,
  api,
  type BulkAction,
  type Column,
  DataTable,
  download,
  FilterBar,
  formatDay,
  formatExact,
  ModelName,
  StatusTag,
  type Texts,
  Time,
  toast,
  useAction,
  useData,
  useList,
  useTexts,
} from '#console'
import { CallPanel } from './call-panel.tsx'
import { type CallEntry, type CallList, MOST_EXPORTED } from '../schema.ts'

const noFilters = { user_id: '', token_id: '', model: '', start: '', end: '' }

export function CallsTab({ onSwitchOn }: { onSwitchOn: () => void }) {
  const t = useTexts('capture')
  const [open, setOpen] = useState<CallEntry>()
  const list = useList<CallEntry, typeof noFilters>('/api/capture/calls', { filters: noFilters })
  const columns = useMemo(() => columnsOf(t), [t])
  return (
    <>
      <Facts />
      <DataTable<CallEntry, typeof noFilters>
        id="capture"
        label={t('tab.calls')}
        list={list}
        columns={columns}
        nameOf={({ id, model }) => `${model} (${id})`}
        actions={(call) => actionsOf(call, t, setOpen, () => list.refresh())}
        bulkActions={[deleteMany(t)]}
        onOpen={setOpen}
        empty={{
          title: t('empty'),
          hint: t('emptyHint'),
          action: <Button onClick={onSwitchOn}>{t('switchOn')}</Button>,
        }}
        toolbar={
          <FilterBar
            list={list}
            fields={[
              { kind: 'id', name: 'user_id', label: t('column.user') },
              { kind: 'id', name: 'token_id', label: t('column.token') },
              { kind: 'text', name: 'model', label: t('column.model') },
              { kind: 'period', names: ['start', 'end'], label: t('column.time') },
            ]}
          >
            <ExportButton filters={list.filters} />
          </FilterBar>
        }
      />
      <CallPanel call={open} onClose={() => setOpen(undefined)} />
    </>
  )
}

/** How much is kept, for how long, and what was lost. */
function Facts() {
  const t = useTexts('capture')
  const { data } = useData<CallList>('/api/capture/calls', { query: { page_size: 1 } })
  if (!data) return null
  const kept = t('facts', { size: formatSize(data.total_size), count: data.days })
  return (
    <>
      <p className="muted capture-facts">{kept}</p>
      {data.lost > 0 ? <Alert type="warning" content={t('lost', { count: data.lost })} /> : null}
    </>
  )
}

function formatSize(chars: number): string {
  return chars < 1_048_576
    ? `${formatExact(Math.ceil(chars / 1024))} KB`
    : `${formatExact(Math.round(chars / 1_048_576))} MB`
}

function columnsOf(t: Texts): Column<CallEntry>[] {
  return [
    {
      id: 'time',
      title: t('column.time'),
      card: 'fact',
      render: ({ created_at }) => <Time seconds={created_at} />,
    },
    {
      id: 'user',
      title: t('column.user'),
      render: ({ user_id }) => <span className="number">{user_id}</span>,
    },
    {
      id: 'token',
      title: t('column.token'),
      render: ({ token_id }) =>
        token_id === 0 ? (
          <span className="muted">{t('noToken')}</span>
        ) : (
          <span className="number">{token_id}</span>
        ),
    },
    {
      id: 'model',
      title: t('column.model'),
      isTitle: true,
      render: ({ model }) => <ModelName name={model} />,
    },
    {
      id: 'status',
      title: t('column.status'),
      card: 'status',
      render: ({ status }) => (
        <StatusTag tone={status < 400 ? 'success' : 'danger'}>{String(status)}</StatusTag>
      ),
    },
    {
      id: 'size',
      title: t('column.size'),
      align: 'right',
      card: 'fact',
      render: ({ size }) => <span className="number">{formatSize(size)}</span>,
    },
    {
      id: 'cut',
      title: t('column.whole'),
      render: ({ is_cut }) =>
        is_cut ? <StatusTag tone="warning">{t('cut')}</StatusTag> : t('whole'),
    },
  ]
}

function actionsOf(
  call: CallEntry,
  t: Texts,
  show: (call: CallEntry) => void,
  refresh: () => Promise<unknown>,
): Action[] {
  return [
    { label: t('action.read'), run: () => show(call) },
    {
      label: t('action.delete'),
      isDanger: true,
      confirm: () => ({
        title: t('deleteTitle', { id: call.id }),
        content: t('deleteText'),
        confirmLabel: t('action.delete'),
        isDanger: true,
      }),
      run: async () => {
        await api.post('/api/capture/delete', { ids: [call.id] })
        toast.success(t('deleted', { id: call.id }))
        await refresh()
      },
    },
  ]
}

function deleteMany(t: Texts): BulkAction<CallEntry> {
  return {
    label: t('action.delete'),
    isDanger: true,
    confirm: (calls) => ({
      title: t('deleteMany', { count: calls.length }),
      content: t('deleteText'),
      confirmLabel: t('action.delete'),
      isDanger: true,
    }),
    runEach: ({ id }) => api.post('/api/capture/delete', { ids: [id] }, { isQuiet: true }),
  }
}

function ExportButton({ filters }: { filters: typeof noFilters }) {
  const t = useTexts('capture')
  const [save, isSaving] = useAction(() =>
    download('/api/capture/export', `capture-${formatDay(Date.now() / 1000)}.jsonl`, filters),
  )
  return (
    <Button
      icon={<IconDownload />}
      loading={isSaving}
      onClick={() => void save()}
      title={t('exportHint', { count: formatExact(MOST_EXPORTED) })}
    >
      {t('export')}
    </Button>
  )
}
