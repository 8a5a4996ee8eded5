import { Select as ArcoSelect } from '@arco-design/web-react'
import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTexts } from '../../texts/use-texts.ts'

export interface Choice {
  value: string | number
  label?: string
  isDisabled?: boolean
}

export interface SelectProps<Value> {
  /** Set by Field; else give `label`, the name read out. */
  id?: string
  label?: string
  value?: Value
  onChange?: (value: Value) => void
  choices: readonly (Choice | string)[]
  placeholder?: string
  disabled?: boolean
  isSearchable?: boolean
  isClearable?: boolean
  /** Lets people add entries of their own (models, groups). */
  isOpen?: boolean
  isLoading?: boolean
  size?: 'mini' | 'small' | 'default' | 'large'
  /** Text before the value inside the box, for filters. */
  prefix?: string
  className?: string
  /** Of a multiple choice: how many tags are shown before "+3". */
  maxTags?: number
  onSearch?: (text: string) => void
}

/** One of a few. */
export function Select<Value extends string | number>(props: SelectProps<Value>) {
  return <NamedSelect {...props} />
}

/** Any number of them. */
export function MultiSelect(props: SelectProps<string[]>) {
  return <NamedSelect {...props} isMultiple />
}

function NamedSelect<Value>(props: SelectProps<Value> & { isMultiple?: boolean }) {
  const t = useTexts()
  const [isListOpen, setListOpen] = useState(false)
  const box = useAccessibleBox(props.id, props.label ?? props.placeholder)
  useTagNames(box, (name) => t('select.remove', { name }))
  const { isMultiple, isOpen, choices } = props
  const options = useMemo(
    () =>
      choices.map((choice) =>
        typeof choice === 'string'
          ? { value: choice, label: choice }
          : {
              value: choice.value,
              label: choice.label ?? String(choice.value),
              disabled: choice.isDisabled,
            },
      ),
    [choices],
  )
  const isSearchable = props.isSearchable ?? isMultiple ?? options.length > 8
  return (
    <span
      ref={box}
      className={`select ${props.className ?? ''}`}
      onKeyDownCapture={(event) => isListOpen || passEscape(event)}
    >
      <ArcoSelect
        id={props.id}
        value={props.value as never}
        onChange={props.onChange as never}
        options={options}
        mode={isMultiple ? 'multiple' : undefined}
        allowCreate={
          isOpen ? { formatter: (text) => ({ value: text.trim(), label: text.trim() }) } : false
        }
        showSearch={isSearchable || isOpen || false}
        filterOption={matches}
        allowClear={props.isClearable}
        placeholder={props.placeholder}
        disabled={props.disabled}
        loading={props.isLoading}
        size={props.size}
        prefix={props.prefix}
        maxTagCount={props.maxTags}
        onSearch={props.onSearch}
        onVisibleChange={(isVisible) => {
          setListOpen(isVisible)
          if (!isVisible) keepFocus(box.current)
        }}
        notFoundContent={<span className="select-empty">{t('select.none')}</span>}
        tokenSeparators={isMultiple && isOpen ? [',', '\n'] : undefined}
      />
    </span>
  )
}

/** Arco's box keeps Escape to itself even when its list is closed; the drawer around it should have it then. */
function passEscape(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Escape') return
  event.stopPropagation()
  const forDrawer = { key: 'Escape', keyCode: 27, bubbles: true }
  event.currentTarget.parentElement?.dispatchEvent(new window.KeyboardEvent('keydown', forDrawer))
}

/** Arco drops the focus when a choice is made; it stays on the box, unless it has gone somewhere else. */
function keepFocus(box: HTMLElement | null): void {
  window.setTimeout(() => {
    if (document.activeElement !== document.body) return
    box?.querySelector<HTMLElement>('input:not([tabindex="-1"]), [tabindex="0"]')?.focus()
  })
}

function matches(text: string, option: ReactElement): boolean {
  const { children, value } = option.props as { children?: unknown; value?: unknown }
  const words = `${typeof children === 'string' ? children : ''} ${String(value)}`
  return words.toLowerCase().includes(text.trim().toLowerCase())
}

/** The button that removes a tag is always called "Close" by Arco, in every language and for every tag. */
function useTagNames(box: RefObject<HTMLElement | null>, nameOf: (tag: string) => string): void {
  useLayoutEffect(() => {
    for (const button of box.current?.querySelectorAll('.arco-tag-close-btn') ?? []) {
      button.setAttribute('aria-label', nameOf(button.parentElement?.textContent.trim() ?? ''))
    }
  })
}

/**
 * Arco's select box takes no name, and hides its focusable search input from screen readers. Both are set on the elements
 * after each drawing, because Arco rewrites them when the list opens.
 */
function useAccessibleBox(id: string | undefined, name: string | undefined) {
  const box = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const combobox = box.current?.querySelector('[role=combobox]')
    if (!combobox) return
    const label = id ? document.querySelector(`label[for="${CSS.escape(id)}"]`) : null
    if (label) combobox.setAttribute('aria-labelledby', (label.id ||= `${id}-label`))
    else if (name) combobox.setAttribute('aria-label', name)
    for (const input of combobox.querySelectorAll('input')) {
      if (input.tabIndex < 0) {
        input.setAttribute('aria-hidden', 'true')
        continue
      }
      input.removeAttribute('aria-hidden')
      input.setAttribute('aria-label', label?.textContent ?? name ?? '')
      // The input is the stop of the tab key; a second one on the box would send Shift+Tab straight back.
      combobox.setAttribute('tabindex', '-1')
    }
  })
  return box
}
