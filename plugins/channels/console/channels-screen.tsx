import { Button } from '@arco-design/web-react'
import { IconDown } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import { useLocation, useParams } from 'react-router-dom'
import {
  ActionMenu,
  AddButton,
  DataTable,
  useDrawerAddress,
  FilterBar,
  Page,
  usePreferences,
  type Texts,
  useTexts,
} from '#console'
import { bulkActions } from './bulk-actions.ts'
import type { Channel } from './channel.ts'
import { rowActions } from './channel-actions.ts'
import { channelColumns } from './channel-columns.tsx'
import { ChannelDrawer, type Target } from './form/channel-drawer.tsx'
import { useChannelFields } from './channel-filters.ts'
import { useChannelTypes } from './channel-types.ts'
import { ModeToggles, useListModes } from './list-modes.tsx'
import { pageActions } from './page-actions.ts'
import { TagDrawer } from './form/tag-drawer.tsx'
import { useTagQuestion } from './tag-question.tsx'
import { isTagRow, modelsOf, type Row, type TagRow } from './tag-rows.ts'
import { useRefusedKeys } from './refused-keys.tsx'
import { RunNotes } from './run-notes.tsx'
import { TestPanel } from './test-panel.tsx'
import { type ChannelFilters, useChannels } from './use-channels.ts'
import { useLastRuns } from './use-runs.ts'
import { useUnpriced } from './use-unpriced.ts'
import './channels.css'

export default function ChannelsScreen() {
  const t = useTexts('channels')
  const types = useChannelTypes()
  const language = usePreferences((preferences) => preferences.language)
  const [modes, setModes] = useListModes()
  const { list, saveNumber, updateBalance } = useChannels(modes)
  const unpriced = useUnpriced(list.rows.flatMap(modelsOf))
  const fields = useChannelFields()
  const { target, open } = useTarget()
  const [tagRow, setTagRow] = useState<TagRow>()
  const [tested, setTested] = useState<Channel>()
  const [showKeys, keyPanel] = useRefusedKeys(list.refresh)
  const [askTag, tagDialog] = useTagQuestion()
  const columns = useMemo(
    () => channelColumns({ t, types, language, unpriced, saveNumber, updateBalance }),
    [t, types, language, unpriced, saveNumber, updateBalance],
  )
  const edit = ({ id }: Channel) => open({ id })
  const tools = { t, list, edit, editTag: setTagRow, test: setTested, showKeys }
  return (
    <Page
      title={t('title')}
      hint={t('hint')}
      actions={<PageButtons onAdd={() => open('new')} refresh={list.refresh} />}
    >
      <RunNotes onEnd={list.refresh} />
      <DataTable<Row, ChannelFilters>
        id="channels"
        slot="channels"
        isSlotRow={isChannel}
        label={t('label')}
        list={list}
        columns={columns}
        nameOf={(row) => (isTagRow(row) ? row.tag : row.name)}
        actions={(row) => rowActions(row, tools)}
        bulkActions={bulkActions(t, askTag)}
        isSelectable={(row) => !isTagRow(row)}
        childrenOf={modes.isByTag ? childrenOf : undefined}
        onOpen={(row) => (isTagRow(row) ? setTagRow(row) : edit(row))}
        empty={emptyState(t, modes.isByTag, () => open('new'))}
        toolbar={
          <FilterBar list={list} fields={fields}>
            <ModeToggles modes={modes} onChange={setModes} />
          </FilterBar>
        }
      />
      <ChannelDrawer target={target} onClose={() => open(undefined)} onSaved={list.refresh} />
      <TagDrawer row={tagRow} onClose={() => setTagRow(undefined)} onSaved={list.refresh} />
      <TestPanel
        channel={tested}
        onClose={(hasTested) => {
          setTested(undefined)
          if (hasTested) void list.refresh()
        }}
      />
      {keyPanel}
      {tagDialog}
    </Page>
  )
}

function emptyState(t: Texts, isByTag: boolean, onAdd: () => void) {
  if (isByTag) return { title: t('emptyTags'), hint: t('emptyTagsHint') }
  const action = <Button onClick={onAdd}>{t('add')}</Button>
  return { title: t('empty'), hint: t('emptyHint'), action }
}

function PageButtons({ onAdd, refresh }: { onAdd(): void; refresh: () => Promise<void> }) {
  const t = useTexts('channels')
  const { refresh: onBegun } = useLastRuns()
  return (
    <>
      <ActionMenu actions={pageActions(t, refresh, onBegun)} label={t('page.more')}>
        <Button>
          {t('page.more')} <IconDown />
        </Button>
      </ActionMenu>
      <AddButton label={t('add')} onClick={onAdd} />
    </>
  )
}

/** The open drawer has an address; the filters of the list stay in it. */
function useTarget(): { target: Target; open: (target: Target) => void } {
  const { pathname } = useLocation()
  const { id } = useParams()
  const go = useDrawerAddress('/channel')
  const number = Number(id)
  const target = useMemo<Target>(() => {
    if (pathname.endsWith('/channel/add')) return 'new'
    return Number.isInteger(number) && number > 0 ? { id: number } : undefined
  }, [pathname, number])
  const open = (next: Target) => {
    if (next === undefined) go(undefined)
    else go(next === 'new' ? '/channel/add' : `/channel/edit/${next.id}`)
  }
  return { target, open }
}

function isChannel(row: Row): boolean {
  return !isTagRow(row)
}

function childrenOf(row: Row): Channel[] | undefined {
  return isTagRow(row) ? row.channels : undefined
}
