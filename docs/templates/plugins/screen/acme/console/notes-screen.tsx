import { Button, Input } from '@arco-design/web-react'
import { useState } from 'react'
import {
  api,
  Card,
  EmptyState,
  ErrorState,
  Loading,
  Page,
  Time,
  useAction,
  useTexts,
} from 'tollgate/console'
import { type Note, useNotes } from './notes.ts'

export default function NotesScreen() {
  const t = useTexts('acme')
  const notes = useNotes()
  return (
    <Page title={t('title')} hint={t('hint')} width="text">
      <NewNote onAdded={notes.refresh} />
      <Card title={t('list')}>
        {notes.error ? (
          <ErrorState message={notes.error.message} onRetry={() => void notes.refresh()} />
        ) : notes.data === undefined ? (
          <Loading />
        ) : notes.data.length === 0 ? (
          <EmptyState title={t('empty')} hint={t('emptyHint')} />
        ) : (
          notes.data.map((note) => <NoteRow key={note.id} note={note} onDone={notes.refresh} />)
        )}
      </Card>
    </Page>
  )
}

function NewNote({ onAdded }: { onAdded: () => Promise<void> }) {
  const t = useTexts('acme')
  const [text, setText] = useState('')
  const [add, isAdding] = useAction(async () => {
    await api.post('/api/acme', { text: text.trim() })
    setText('')
    await onAdded()
  })
  return (
    <Card title={t('new')}>
      <form
        style={{ display: 'flex', gap: 8 }}
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '') void add()
        }}
      >
        <Input aria-label={t('text')} value={text} maxLength={500} onChange={setText} />
        <Button type="primary" htmlType="submit" loading={isAdding} disabled={text.trim() === ''}>
          {t('add')}
        </Button>
      </form>
    </Card>
  )
}

function NoteRow({ note, onDone }: { note: Note; onDone: () => Promise<void> }) {
  const t = useTexts('acme')
  const [remove, isRemoving] = useAction(async () => {
    await api.delete(`/api/acme/${note.id}`)
    await onDone()
  })
  return (
    <p style={{ display: 'flex', gap: 8, alignItems: 'center', overflowWrap: 'anywhere' }}>
      <span style={{ flex: 1 }}>{note.text}</span>
      <Time seconds={note.created_at} />
      <Button
        size="small"
        loading={isRemoving}
        aria-label={t('deleteNote', { text: note.text })}
        onClick={() => void remove()}
      >
        {t('delete')}
      </Button>
    </p>
  )
}
