// What the sample adds to places of others in the console: a column and an action of the users' table, a section of a user's drawer, a card of
// the home page, a tab of the settings. A plain ES module: nothing is built.
import { createElement, useState } from 'react'
import { Button, Input } from '@arco-design/web-react'
import { api, Card, SidePanel, toast, useAction, useData, useTexts } from 'tollgate/console'

const path = '/api/every-point/notes'

// One call for all cells of the page: useData shares its answer.
function NoteCell({ row }) {
  const { data } = useData(path)
  return data?.[row.id] ?? ''
}

// Code of this kind happens: it must cost its own cells.
function BrokenCell({ row }) {
  return createElement('span', null, row.no_such_field.length)
}

function NoteSection({ record, onChanged }) {
  const t = useTexts('every-point')
  const { data, refresh } = useData(path)
  const [typed, setTyped] = useState()
  const [save, isSaving] = useAction(async () => {
    await api.put(path, { user_id: record.id, note: typed })
    await refresh()
    setTyped(undefined)
    onChanged(false)
    toast.success(t('kept'))
  })
  return createElement(
    'div',
    { style: { display: 'flex', gap: 8 } },
    createElement(Input, {
      'aria-label': t('note'),
      value: typed ?? data?.[record.id] ?? '',
      onChange: (value) => {
        setTyped(value)
        onChanged(true)
      },
    }),
    createElement(Button, { disabled: typed === undefined, loading: isSaving, onClick: save }, t('keep')),
  )
}

function NotePanel({ row, onClose }) {
  const t = useTexts('every-point')
  const { data } = useData(path)
  return createElement(
    SidePanel,
    { title: t('noteOf', { name: row.username }), isOpen: true, onClose },
    createElement('p', null, data?.[row.id] ?? t('none')),
  )
}

function HomeCard() {
  const t = useTexts('every-point')
  return createElement(Card, { title: t('home') }, t('homeText'))
}

function SettingsPart() {
  return createElement('p', null, useTexts('every-point')('part'))
}

const component = (default_) => () => Promise.resolve({ default: default_ })

export default {
  tables: [
    {
      id: 'users',
      columns: [
        { id: 'note', title: 'note', load: component(NoteCell) },
        { id: 'broken', title: 'broken', load: component(BrokenCell) },
      ],
      rowActions: [
        { id: 'note', label: 'show', load: component(NotePanel) },
        { id: 'never', label: 'never', isVisible: () => false, link: () => '/never' },
      ],
    },
    // An ordinary user has tokens, and sees nothing of this.
    { id: 'tokens', columns: [{ id: 'admin', title: 'forAdmins', access: 'admin', load: component(NoteCell) }] },
  ],
  drawers: [{ id: 'note', drawer: 'user', title: 'note', order: 90, load: component(NoteSection) }],
  home: [{ id: 'card', order: 90, load: component(HomeCard) }],
  settings: [{ id: 'part', tab: 'every-point', section: 'every-point', load: component(SettingsPart) }],
  texts: {
    en: {
      note: 'Note',
      noteOf: 'Note of {name}',
      broken: 'Broken',
      forAdmins: 'For admins',
      show: 'Show note',
      never: 'Never',
      none: 'No note',
      keep: 'Keep note',
      kept: 'Note kept.',
      home: 'Card of the sample',
      homeText: 'For everybody.',
      part: 'A part of the sample',
      tabs: { 'every-point': 'Sample' },
      sections: { 'every-point': 'Words of the sample' },
      options: { EveryPointWord: 'Word' },
    },
    zh: {
      note: '备注',
      noteOf: '{name} 的备注',
      broken: '故障',
      forAdmins: '管理员可见',
      show: '查看备注',
      never: '从不',
      none: '没有备注',
      keep: '保存备注',
      kept: '备注已保存。',
      home: '示例卡片',
      homeText: '所有人可见。',
      part: '示例内容',
      tabs: { 'every-point': '示例' },
      sections: { 'every-point': '示例词语' },
      options: { EveryPointWord: '词语' },
    },
  },
}
