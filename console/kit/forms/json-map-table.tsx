import { Button, Input } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { IconButton } from '../icon-button.tsx'

type Entry = [name: string, value: string]

/** A JSON map as rows of name and value. Values that read as JSON stay what they are; everything else is text. */
export function JsonMapTable({
  text,
  onChange,
  isDisabled,
}: {
  text: string
  onChange(text: string): void
  isDisabled?: boolean
}) {
  const t = useTexts()
  // Rows being typed may have no name yet, or the same twice; only the sound ones go into the text.
  const [entries, setEntries] = useState<Entry[]>(() => readEntries(text))
  const change = (next: Entry[]) => {
    setEntries(next)
    onChange(writeEntries(next))
  }
  const replace = (index: number, entry: Entry) =>
    change(entries.map((old, at) => (at === index ? entry : old)))
  return (
    <div className="json-map">
      {entries.map(([name, value], index) => (
        <div className="json-map-row" key={index}>
          <Input
            className="code"
            aria-label={t('json.name')}
            value={name}
            disabled={isDisabled}
            onChange={(next) => replace(index, [next, value])}
          />
          <Input
            className="code"
            aria-label={t('json.valueOf', { name })}
            value={value}
            disabled={isDisabled}
            onChange={(next) => replace(index, [name, next])}
          />
          <IconButton
            icon={<IconDelete />}
            label={t('json.removeRow', { name })}
            disabled={isDisabled}
            onClick={() => change(entries.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button
        size="small"
        icon={<IconPlus />}
        disabled={isDisabled}
        onClick={() => setEntries([...entries, ['', '']])}
      >
        {t('json.addRow')}
      </Button>
    </div>
  )
}

export function readEntries(text: string): Entry[] {
  if (text.trim() === '') return []
  const map = JSON.parse(text) as Record<string, unknown>
  return Object.entries(map).map(([name, value]) => [
    name,
    typeof value === 'string' && !looksLikeJson(value) ? value : JSON.stringify(value),
  ])
}

export function writeEntries(entries: readonly Entry[]): string {
  const sound = entries.filter(([name]) => name.trim() !== '')
  if (sound.length === 0) return ''
  const map = Object.fromEntries(
    sound.map(([name, value]) => [name.trim(), looksLikeJson(value) ? JSON.parse(value) : value]),
  )
  return JSON.stringify(map, undefined, 2)
}

function looksLikeJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
