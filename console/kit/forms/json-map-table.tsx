import { Button, Input } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { IconButton } from '../icon-button.tsx'
import { type Entry, readEntries, writeEntries } from './map-entries.ts'

/** More rows than this make the page slow, and nobody reads them. */
const ROWS_SHOWN = 50
const LONG = 12

/** A JSON map, or a list of maps of one entry each, as rows of name and value. Values that read as JSON stay what they are; everything else is text. */
export function JsonMapTable({
  text,
  onChange,
  isDisabled,
  isList = text.trim().startsWith('['),
}: {
  text: string
  onChange(text: string): void
  isDisabled?: boolean
  /** The text is a list of maps, also while it is empty. */
  isList?: boolean
}) {
  const t = useTexts()
  const { entries, change, addEmpty } = useEntries(text, isList, onChange)
  const [search, setSearch] = useState('')
  const found = entries
    .map((entry, index) => ({ entry, index }))
    .filter(({ entry: [name] }) => name.toLowerCase().includes(search.trim().toLowerCase()))
  const shown = found.slice(0, ROWS_SHOWN)
  return (
    <div className="json-map">
      {entries.length > LONG ? (
        <Input.Search
          aria-label={t('json.search')}
          placeholder={t('json.search')}
          value={search}
          onChange={setSearch}
          allowClear
        />
      ) : null}
      {shown.map(({ entry, index }) => (
        <EntryRow
          key={index}
          entry={entry}
          isDisabled={isDisabled}
          onChange={(next) => change(entries.map((old, at) => (at === index ? next : old)))}
          onRemove={() => change(entries.filter((_, at) => at !== index))}
        />
      ))}
      {found.length > shown.length ? (
        <p className="schema-help">
          {t('json.more', { shown: shown.length, total: found.length })}
        </p>
      ) : null}
      <Button
        size="small"
        icon={<IconPlus />}
        disabled={isDisabled}
        onClick={() => {
          setSearch('')
          addEmpty()
        }}
      >
        {t('json.addRow')}
      </Button>
    </div>
  )
}

/** Rows being typed may have no name yet, or the same twice; only the sound ones go into the text. */
function useEntries(text: string, isList: boolean, onChange: (text: string) => void) {
  const [state, setState] = useState({ text, entries: readEntries(text) })
  // Somebody else has changed the text: an example, an undo, what the server has saved.
  if (state.text !== text) setState({ text, entries: readEntries(text) })
  const { entries } = state
  return {
    entries,
    change: (next: Entry[]) => {
      const written = writeEntries(next, isList)
      setState({ text: written, entries: next })
      onChange(written)
    },
    addEmpty: () => setState({ text, entries: [['', ''], ...entries] }),
  }
}

function EntryRow({
  entry: [name, value],
  isDisabled,
  onChange,
  onRemove,
}: {
  entry: Entry
  isDisabled: boolean | undefined
  onChange(entry: Entry): void
  onRemove(): void
}) {
  const t = useTexts()
  return (
    <div className="json-map-row">
      <Input
        className="code"
        aria-label={t('json.name')}
        value={name}
        disabled={isDisabled}
        onChange={(next) => onChange([next, value])}
      />
      <Input
        className="code"
        aria-label={t('json.valueOf', { name })}
        value={value}
        disabled={isDisabled}
        onChange={(next) => onChange([name, next])}
      />
      <IconButton
        icon={<IconDelete />}
        label={t('json.removeRow', { name })}
        disabled={isDisabled}
        onClick={onRemove}
      />
    </div>
  )
}
