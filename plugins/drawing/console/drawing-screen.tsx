import { Alert } from '@arco-design/web-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  DataTable,
  FilterBar,
  type FilterField,
  Page,
  type QueryValues,
  readStored,
  RefreshButton,
  type Texts,
  useIsAdmin,
  useList,
  useTextDialog,
  useTexts,
} from '#console'
import type { Drawing } from '../schema.ts'
import { drawingColumns } from './drawing-columns.tsx'
import { PictureDialog } from './picture-dialog.tsx'
import './drawing.css'

const THIRTY_DAYS_S = 30 * 86_400
const ONE_HOUR_S = 3600
/** The interval at which the gateway asks the upstreams. */
const REFETCH_EVERY_MS = 15_000

export default function DrawingScreen() {
  const t = useTexts('drawing')
  const isAdmin = useIsAdmin()
  const [filters] = useState(defaultFilters)
  const list = useList<Drawing, typeof filters>(isAdmin ? '/api/mj/' : '/api/mj/self/', {
    shape: 'array',
    firstPage: 0,
    filters,
    toQuery: inMilliseconds,
    refetchEveryMs: REFETCH_EVERY_MS,
  })
  const [show, textDialog] = useTextDialog()
  const [picture, setPicture] = useState<Drawing>()
  const columns = useMemo(() => {
    const showText = (title: () => string, text: string) => show({ title, text })
    return drawingColumns({ t, isAdmin, showText, showPicture: setPicture })
  }, [t, isAdmin, show])
  return (
    <Page
      title={t('title')}
      hint={t('hint')}
      actions={<RefreshButton label={t('refresh')} onClick={() => void list.refresh()} />}
    >
      {isAdmin && readStored('mj_notify_enabled') !== 'true' ? (
        <Alert type="info" content={t('noCallback')} />
      ) : null}
      <DataTable
        id="drawing"
        label={t('title')}
        list={list}
        columns={columns}
        nameOf={({ mj_id, id }) => mj_id || String(id)}
        empty={{
          title: t('empty'),
          hint: t('emptyHint'),
          action: (
            <Link className="button-link" to="/token">
              {t('toTokens')}
            </Link>
          ),
        }}
        toolbar={<FilterBar list={list} fields={fieldsOf(t, isAdmin)} />}
      />
      {textDialog}
      {picture ? <PictureDialog drawing={picture} onClose={() => setPicture(undefined)} /> : null}
    </Page>
  )
}

/** The last thirty days, and an hour ahead for clocks that differ. In seconds, as all periods in addresses. */
function defaultFilters() {
  const now = Math.floor(Date.now() / 1000)
  return {
    mj_id: '',
    channel_id: '',
    start_timestamp: String(now - THIRTY_DAYS_S),
    end_timestamp: String(now + ONE_HOUR_S),
  }
}

function inMilliseconds({
  start_timestamp: start,
  end_timestamp: end,
  ...rest
}: ReturnType<typeof defaultFilters>): QueryValues {
  const ms = (seconds: string) => (seconds === '' ? undefined : Number(seconds) * 1000)
  return { ...rest, start_timestamp: ms(start), end_timestamp: ms(end) }
}

function fieldsOf(t: Texts, isAdmin: boolean): FilterField[] {
  return [
    { kind: 'search', name: 'mj_id', label: t('filter.task') },
    { kind: 'period', names: ['start_timestamp', 'end_timestamp'], label: t('filter.period') },
    ...(isAdmin ? [{ kind: 'id' as const, name: 'channel_id', label: t('filter.channel') }] : []),
  ]
}
