import { Button } from '@arco-design/web-react'
import {
  AddButton,
  api,
  type Column,
  DataTable,
  FilterBar,
  Page,
  type Texts,
  Time,
  useEditing,
  useList,
  useTexts,
} from 'tollgate/console'
import { type Card, colours } from './card.ts'
import { CardDrawer } from './card-drawer.tsx'

const noFilters = { keyword: '', colour: '' }

export default function CardsScreen() {
  const t = useTexts('acme')
  const list = useList<Card, typeof noFilters>('/api/acme', { filters: noFilters })
  const editing = useEditing<Card>()
  const remove = async ({ id }: Card) => {
    await api.delete(`/api/acme/${id}`)
    await list.refresh()
  }
  return (
    <Page
      title={t('title')}
      hint={t('hint')}
      actions={<AddButton label={t('add')} onClick={editing.add} />}
    >
      <DataTable<Card, typeof noFilters>
        id="acme"
        label={t('title')}
        list={list}
        columns={columnsOf(t)}
        nameOf={({ name }) => name}
        onOpen={editing.edit}
        actions={(card) => [
          { label: t('edit'), run: () => editing.edit(card) },
          {
            label: t('delete'),
            isDanger: true,
            confirm: {
              title: t('deleteTitle', { name: card.name }),
              confirmLabel: t('delete'),
              isDanger: true,
            },
            run: () => remove(card),
          },
        ]}
        empty={{
          title: t('empty'),
          hint: t('emptyHint'),
          action: <Button onClick={editing.add}>{t('add')}</Button>,
        }}
        toolbar={
          <FilterBar
            list={list}
            fields={[
              { kind: 'search', name: 'keyword', label: t('search') },
              {
                kind: 'select',
                name: 'colour',
                label: t('colour'),
                choices: colours.map((value) => ({ value, label: t(value) })),
              },
            ]}
          />
        }
      />
      <CardDrawer editing={editing} onSaved={list.refresh} />
    </Page>
  )
}

function columnsOf(t: Texts): Column<Card>[] {
  return [
    { id: 'name', title: t('name'), render: ({ name }) => name, isTitle: true },
    { id: 'colour', title: t('colour'), render: ({ colour }) => t(colour) },
    { id: 'stars', title: t('stars'), render: ({ stars }) => stars, align: 'right' },
    { id: 'made', title: t('made'), render: (card) => <Time seconds={card.created_at} /> },
  ]
}
