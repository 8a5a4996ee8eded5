import { Button } from '@arco-design/web-react'
import { IconHistory } from '@arco-design/web-react/icon'
import { useState } from 'react'
import {
  EmptyState,
  ErrorState,
  Loading,
  Pager,
  SidePanel,
  useData,
  useOptions,
  useTexts,
} from '#console'
import type { SettingsSection } from './arrange-settings.ts'
import type { Change } from '../schema.ts'
import { ChangeRow } from './change-row.tsx'
import { keysOf, sectionTitle } from './section-words.ts'

/** Who changed the options of a section, from what to what, and the way back. */
export function HistoryButton({
  section,
  onRolledBack,
}: {
  section: SettingsSection
  onRolledBack(): void
}) {
  const t = useTexts('settings')
  const [isOpen, setOpen] = useState(false)
  const title = t('history.title', { section: sectionTitle(section) })
  return (
    <>
      <Button
        type="text"
        size="small"
        icon={<IconHistory />}
        aria-describedby={`title-${section.id}`}
        onClick={() => setOpen(true)}
      >
        {t('history.open')}
      </Button>
      <SidePanel title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        {isOpen ? <Changes section={section} onRolledBack={onRolledBack} /> : null}
      </SidePanel>
    </>
  )
}

const firstSize = 10

function Changes({ section, onRolledBack }: { section: SettingsSection; onRolledBack(): void }) {
  const t = useTexts('settings')
  const options = useOptions()
  const [page, setPage] = useState(1)
  const [pageSize, setPageSize] = useState(firstSize)
  const { data, error, refresh } = useData<{ items: Change[]; total: number }>(
    '/api/option/history',
    { query: { key: keysOf(section).join(','), p: page, page_size: pageSize } },
  )
  if (error) return <ErrorState message={error.message} onRetry={() => void refresh()} />
  if (!data) return <Loading />
  if (data.total === 0) return <EmptyState title={t('history.empty')} hint={t('history.hint')} />
  const reread = async (key: string) => {
    await Promise.all([refresh(), options.refresh([key])])
    onRolledBack()
  }
  return (
    <>
      <p className="muted">{t('history.hint')}</p>
      <ul className="changes">
        {data.items.map((change) => (
          <ChangeRow
            key={change.id}
            change={change}
            section={section}
            inUse={options.values?.[change.key]}
            onRolledBack={() => reread(change.key)}
          />
        ))}
      </ul>
      {data.total > firstSize ? (
        <Pager
          page={page}
          pageSize={pageSize}
          total={data.total}
          hasNextPage={page * pageSize < data.total}
          onPage={setPage}
          onPageSize={(size) => {
            setPageSize(size)
            setPage(1)
          }}
        />
      ) : null}
    </>
  )
}
