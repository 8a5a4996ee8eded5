import { Button, Input } from '@arco-design/web-react'
import { IconFilter, IconSearch } from '@arco-design/web-react/icon'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Filters } from '../../api/use-filters.ts'
import type { List } from '../../api/use-list.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { PeriodInput } from '../forms/period-input.tsx'
import { type Choice, Select, type SelectProps } from '../forms/select.tsx'
import { useIsPhone } from '../use-is-phone.ts'

/** One filter; `name` is used in the address and in the query. */
export type FilterField =
  /** `id`: the number of a row; the field says when its text is none, because lists ignore such a filter. */
  | { kind: 'search' | 'text' | 'id'; name: string; label: string; isMore?: boolean }
  | {
      kind: 'select'
      name: string
      label: string
      choices: readonly (Choice | string)[]
      /** Where the choices come from, if they are loaded. */
      source?: SelectProps<string>['source']
      isMore?: boolean
    }
  | {
      kind: 'period'
      /** The names of the two bounds, in Unix seconds. */
      names: readonly [start: string, end: string]
      label: string
      isMore?: boolean
    }

export interface FilterBarProps<T, F extends Filters> {
  list: List<T, F>
  /** Search comes first, then selects; fields with `isMore` are behind a button. */
  fields: readonly FilterField[]
  /** At the end of the line. */
  children?: ReactNode
}

export function FilterBar<T, F extends Filters>({ list, fields, children }: FilterBarProps<T, F>) {
  const t = useTexts()
  const isPhone = useIsPhone()
  // On a phone most filters are folded, to leave room for the list.
  const isFolded = ({ kind, isMore }: FilterField) => isMore || (isPhone && kind !== 'search')
  const more = fields.filter(isFolded)
  // Defaults do not count as used: a period that is always set does not unfold the rest.
  const isMoreUsed =
    list.isFiltered &&
    more.some((field) => namesOf(field).some((name) => (list.filters[name] ?? '') !== ''))
  const [isOpen, setOpen] = useState(isMoreUsed)
  const [clearings, setClearings] = useState(0)
  const bar = useRef<HTMLDivElement>(null)
  const clear = () => {
    list.clearFilters()
    setClearings(clearings + 1)
    // The button disappears together with the filters, so the focus goes to the first field.
    bar.current?.querySelector<HTMLElement>('input')?.focus()
  }
  const shown = fields.filter((field) => !isFolded(field) || isOpen)
  return (
    <div className="filter-bar" role="search" ref={bar}>
      {shown.map((field) => (
        <FilterControl
          key={namesOf(field)[0]}
          field={field}
          filters={list.filters}
          clearings={clearings}
          onChange={(changes) => list.setFilters(changes as Partial<F>)}
        />
      ))}
      {more.length > 0 ? (
        <Button
          type="text"
          icon={<IconFilter />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'filter.fewer' : 'filter.more')}
        </Button>
      ) : null}
      {list.isFiltered ? (
        <Button type="text" onClick={clear}>
          {t('filter.clear')}
        </Button>
      ) : null}
      {children}
    </div>
  )
}

function namesOf(field: FilterField): readonly string[] {
  return field.kind === 'period' ? field.names : [field.name]
}

function FilterControl({
  field,
  filters,
  clearings,
  onChange,
}: {
  field: FilterField
  filters: Filters
  clearings: number
  /** Changes several filters in one call, because the address is changed once at a time. */
  onChange(changes: Filters): void
}) {
  if (field.kind === 'period') {
    const [start, end] = field.names
    return (
      <PeriodInput
        label={field.label}
        start={filters[start] ?? ''}
        end={filters[end] ?? ''}
        onChange={(from, to) => onChange({ [start]: from, [end]: to })}
      />
    )
  }
  const value = filters[field.name] ?? ''
  if (field.kind === 'select') {
    return (
      <Select
        className="filter-select"
        label={field.label}
        placeholder={field.label}
        value={value || undefined}
        onChange={(chosen: string | number | undefined) =>
          onChange({ [field.name]: String(chosen ?? '') })
        }
        choices={field.choices}
        source={field.source}
        isClearable
      />
    )
  }
  return (
    <TextFilter
      {...field}
      value={value}
      clearings={clearings}
      onChange={(text) => onChange({ [field.name]: text })}
    />
  )
}

const pauseMs = 400

/** Limited, because the text becomes part of the address, and servers limit its length. */
const longestText = 200

const wholeFromOne = /^0*[1-9]\d{0,14}$/

interface TextFilterProps {
  kind: 'search' | 'text' | 'id'
  label: string
  value: string
  /** How often all filters have been cleared. */
  clearings: number
  onChange(text: string): void
}

function TextFilter({ kind, label, ...props }: TextFilterProps) {
  const t = useTexts()
  const { text, setText, apply } = useFilterText(props)
  const id = useId()
  const isWrong = kind === 'id' && text.trim() !== '' && !wholeFromOne.test(text.trim())
  const input = (
    <Input
      id={id}
      className={`filter-text filter-${kind}`}
      prefix={kind === 'search' ? <IconSearch aria-hidden /> : undefined}
      type={kind === 'search' ? 'search' : 'text'}
      placeholder={label}
      aria-label={label}
      data-focus-key={kind === 'search' ? '/' : undefined}
      value={text}
      maxLength={longestText}
      allowClear
      onChange={(typed) => setText(kind === 'id' ? typed.normalize('NFKC') : typed)}
      onPressEnter={apply}
      onBlur={apply}
      {...(isWrong
        ? { 'aria-invalid': true, 'aria-describedby': `${id}-fault`, status: 'error' as const }
        : {})}
    />
  )
  if (kind !== 'id') return input
  return (
    <div>
      {input}
      {isWrong ? (
        <p id={`${id}-fault`} className="schema-fault number-fault" role="alert">
          {t('filter.noId')}
        </p>
      ) : null}
    </div>
  )
}

/** Applied after a pause in typing, and at once on Enter or when the field is left. */
function useFilterText({ value, clearings, onChange }: Omit<TextFilterProps, 'kind' | 'label'>) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState({ value, clearings })
  // What was typed here and is on its way to the address. While the list is drawn anew more letters may be typed, which stay.
  const [applied, setApplied] = useState<readonly string[]>([])
  if (seen.value !== value || seen.clearings !== clearings) {
    const place = seen.clearings === clearings ? applied.indexOf(value) : -1
    setSeen({ value, clearings })
    setApplied(place < 0 ? [] : applied.slice(place + 1))
    // The address was changed otherwise: by a link, the back button, or "clear", which may overtake what is on its way.
    if (place < 0) setText(value)
  }
  const latest = applied.at(-1) ?? value
  const apply = () => {
    const trimmed = text.trim()
    if (trimmed !== latest) {
      setApplied([...applied, trimmed])
      onChange(trimmed)
    } else if (latest === value) setApplied([])
  }
  const current = useRef(apply)
  useEffect(() => {
    current.current = apply
  })
  useEffect(() => {
    if (text.trim() === latest) return
    const timer = window.setTimeout(() => current.current(), text === '' ? 0 : pauseMs)
    return () => window.clearTimeout(timer)
  }, [text, latest])
  return { text, setText, apply }
}
