import { Button, Input } from '@arco-design/web-react'
import { IconDown, IconSearch } from '@arco-design/web-react/icon'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { EmptyState, Dialog, isComposing, ProviderMark, usePreferences, useTexts } from '#console'
import { type ChannelType, nameOfType, typeName, useChannelTypes } from '../channel-types.ts'
import { findTypes, type TypeSection } from './find-types.ts'
import { InnerDialog } from './inner-dialog.tsx'

/** The provider of a channel, by its face; a press opens the choice of all. */
export function ProviderPicker({
  id,
  value,
  onChange,
}: {
  /** Set by Field. */
  id?: string
  value?: number
  onChange?: (type: number) => void
}) {
  const t = useTexts('channels')
  const types = useChannelTypes()
  const language = usePreferences((preferences) => preferences.language)
  const [isOpen, setOpen] = useState(false)
  // A type whose adapter is off keeps its number, so that saving does not change it.
  const name = value === undefined ? '' : typeName(types, value, language)
  return (
    <>
      <Button
        id={id}
        long
        className="provider-button"
        aria-haspopup="dialog"
        aria-label={t('provider.chosen', { name })}
        onClick={() => setOpen(true)}
      >
        {value === undefined ? null : <ProviderMark type={value} name={name} />}
        <span className="provider-name">{name}</span>
        <IconDown aria-hidden />
      </Button>
      {isOpen ? (
        <InnerDialog>
          <ProviderDialog
            types={types}
            chosen={value}
            language={language}
            onClose={() => setOpen(false)}
            onPick={(type) => {
              onChange?.(type)
              setOpen(false)
            }}
          />
        </InnerDialog>
      ) : null}
    </>
  )
}

interface DialogProps {
  types: readonly ChannelType[]
  chosen: number | undefined
  language: string
  onPick: (type: number) => void
  onClose: () => void
}

/** A search box that leads through the list below it: the arrows move, Enter takes. */
function ProviderDialog({ types, chosen, language, onPick, onClose }: DialogProps) {
  const t = useTexts('channels')
  const listId = useId()
  const { text, setText, found, current, move } = useTypeSearch(types, chosen, onPick)
  const optionId = (type: number) => `${listId}-${type}`
  return (
    <Dialog title={t('provider.title')} footer={null} onClose={onClose} className="provider-dialog">
      <Input
        value={text}
        onChange={setText}
        onKeyDown={move}
        allowClear
        prefix={<IconSearch aria-hidden />}
        placeholder={t('provider.search')}
        role="combobox"
        aria-label={t('provider.search')}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={current ? optionId(current.type) : undefined}
      />
      <div id={listId} className="provider-list" role="listbox" aria-label={t('provider.title')}>
        {found.map((part) => (
          <SectionOfTypes
            key={part.section}
            part={part}
            current={current?.type}
            chosen={chosen}
            language={language}
            optionId={optionId}
            onPick={onPick}
          />
        ))}
      </div>
      {found.length === 0 ? (
        <EmptyState title={t('provider.none')} hint={t('provider.noneHint')} />
      ) : null}
    </Dialog>
  )
}

/** Typing moves to the first match; the arrow keys move on from there. */
function useTypeSearch(
  types: readonly ChannelType[],
  chosen: number | undefined,
  onPick: (type: number) => void,
) {
  const [text, setText] = useState('')
  const [active, setActive] = useState(chosen)
  const found = findTypes(types, text)
  const flat = found.flatMap((part) => part.types)
  const current = flat.find(({ type }) => type === active) ?? flat[0]
  const move = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    const next = keyTarget(event.key, flat, current)
    if (event.key === 'Enter' && current) onPick(current.type)
    else if (next) setActive(next.type)
    else return
    event.preventDefault()
  }
  return { text, setText, found, current, move }
}

function keyTarget(
  key: string,
  types: readonly ChannelType[],
  current: ChannelType | undefined,
): ChannelType | undefined {
  const place = current ? types.indexOf(current) : -1
  if (key === 'ArrowDown') return types[Math.min(place + 1, types.length - 1)]
  if (key === 'ArrowUp') return types[Math.max(place - 1, 0)]
  return undefined
}

function SectionOfTypes({
  part,
  current,
  chosen,
  language,
  optionId,
  onPick,
}: {
  part: TypeSection
  current: number | undefined
  chosen: number | undefined
  language: string
  optionId: (type: number) => string
  onPick: (type: number) => void
}) {
  const t = useTexts('channels')
  const title = t(`provider.section.${part.section}`)
  return (
    <div role="group" aria-label={title}>
      <h3 aria-hidden>{title}</h3>
      {part.types.map((type) => (
        <ProviderOption
          key={type.type}
          id={optionId(type.type)}
          type={type}
          language={language}
          isCurrent={type.type === current}
          isChosen={type.type === chosen}
          onPick={onPick}
        />
      ))}
    </div>
  )
}

function ProviderOption({
  id,
  type,
  language,
  isCurrent,
  isChosen,
  onPick,
}: {
  id: string
  type: ChannelType
  language: string
  isCurrent: boolean
  isChosen: boolean
  onPick: (type: number) => void
}) {
  const option = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isCurrent) option.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  // Adapters describe themselves in English only.
  const line = language === 'en' ? type.summary : type.aliases.join('、')
  return (
    <div
      ref={option}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={`provider-option ${isCurrent ? 'provider-current' : ''}`}
      onClick={() => onPick(type.type)}
      onKeyDown={(event) => event.key === 'Enter' && onPick(type.type)}
    >
      <ProviderMark type={type.type} name={type.name} size="large" />
      <span className="provider-words">
        <span className="provider-name">{nameOfType(type, language)}</span>
        <small>{line}</small>
      </span>
    </div>
  )
}
