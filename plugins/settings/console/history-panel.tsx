import { Button } from '@arco-design/web-react'
import { IconHistory } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { EmptyState, Loaded, Pager, SidePanel, useData, useOptions, useTexts } from '#console'
import type { SettingsSection } from './arrange-settings.ts'
import type { Change } from '../schema.ts'
import { ChangeRow } from './change-row.tsx'
import { keysOf, sectionTitle } from './section-words.ts'

/** The changes of a section's options: who, old and new value, and a button to roll back. */
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
  const changes = useData<{ items: Change[]; total: number }>('/api/option/history', {
    query: { key: keysOf(section).join(','), p: page, page_size: pageSize },
  })
  const reread = async (key: string) => {
    await Promise.all([changes.refresh(), options.refresh([key])])
    onRolledBack()
  }
  const list = ({ items, total }: { items: Change[]; total: number }) => (
    <>
      <p className="muted">{t('history.hint')}</p>
      <ul className="changes">
        {items.map((change) => (
          <ChangeRow
            key={change.id}
            change={change}
            section={section}
            inUse={options.values?.[change.key]}
            onRolledBack={() => reread(change.key)}
          />
        ))}
      </ul>
      {total > firstSize ? (
        <Pager
          page={page}
          pageSize={pageSize}
          total={total}
          hasNextPage={page * pageSize < total}
          onPage={setPage}
          onPageSize={(size) => {
            setPageSize(size)
            setPage(1)
          }}
        />
      ) : null}
    </>
  )
  return (
    <Loaded from={changes}>
      {(data) =>
        data.total === 0 ? (
          <EmptyState title={t('history.empty')} hint={t('history.hint')} />
        ) : (
          list(data)
        )
      }
    </Loaded>
  )
}
