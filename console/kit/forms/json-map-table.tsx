import { Button, Input } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { IconButton } from '../icon-button.tsx'
import { type Entry, readEntries, writeEntries } from './map-entries.ts'

/** More rows would slow the page down and are edited as text. */
const ROWS_SHOWN = 50
const LONG = 12

/** Edits a JSON map, or a list of maps of one entry each, as rows of name and value. A value that is valid JSON
 *  keeps its type; any other value becomes a string. */
export function JsonMapTable({
  text,
  onChange,
  isDisabled,
  isList = text.trim().startsWith('['),
}: {
  text: string
  onChange(text: string): void
  isDisabled?: boolean
  /** The text is a list of maps, even while it is empty. */
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

/** While rows are typed, names may be missing or occur twice. Only valid rows are written to the text. */
function useEntries(text: string, isList: boolean, onChange: (text: string) => void) {
  const [state, setState] = useState({ text, entries: readEntries(text) })
  // The text was changed from outside: by the example, an undo, or the answer of the server.
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
