import { Select as ArcoSelect } from '@arco-design/web-react'
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Data } from '../../api/use-data.ts'
import { useTexts } from '../../texts/use-texts.ts'

export interface Choice {
  value: string | number
  label?: string
  isDisabled?: boolean
}

export interface SelectProps<Value> {
  /** Set by Field; elsewhere use `label`, the accessible name. */
  id?: string
  label?: string
  value?: Value
  onChange?: (value: Value) => void
  choices: readonly (Choice | string)[]
  placeholder?: string
  disabled?: boolean
  isSearchable?: boolean
  isClearable?: boolean
  /** Allows entries that are not among the choices (models, groups). */
  isOpen?: boolean
  isLoading?: boolean
  /** Where the choices come from: while they are missing, the list says why, and asks for them again when it is opened. */
  source?: Pick<Data<unknown>, 'isLoading' | 'error' | 'refresh'>
  size?: 'mini' | 'small' | 'default' | 'large'
  /** Text before the value, for filters. */
  prefix?: string
  className?: string
  /** How many tags a multiple choice shows before "+3", if not 40. */
  maxTags?: number
  onSearch?: (text: string) => void
}

/** A choice of one. */
export function Select<Value extends string | number>(props: SelectProps<Value>) {
  return <NamedSelect {...props} />
}

/** More tags push the next field out of sight; the rest is a number, and stays in the list. */
const MOST_TAGS = 40

/** A choice of several. */
export function MultiSelect({ maxTags = MOST_TAGS, ...props }: SelectProps<string[]>) {
  return <NamedSelect {...props} maxTags={maxTags} isMultiple />
}

function NamedSelect<Value>(props: SelectProps<Value> & { isMultiple?: boolean }) {
  const t = useTexts()
  const [isListOpen, setListOpen] = useState(false)
  const box = useAccessibleBox(props.id, props.label ?? props.placeholder)
  useTagNames(box, (name) => t('select.remove', { name }))
  const { isMultiple, isOpen, choices, source } = props
  const isLoading = props.isLoading ?? source?.isLoading
  const options = useOptionsOf(choices)
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
        loading={isLoading}
        size={props.size}
        prefix={props.prefix}
        maxTagCount={props.maxTags}
        onSearch={props.onSearch}
        onVisibleChange={(isVisible) => {
          setListOpen(isVisible)
          if (!isVisible) keepFocus(box.current)
          else if (source?.error) void source.refresh()
        }}
        dropdownRender={source?.error && withFault(source.error, options.length === 0)}
        notFoundContent={
          <span className="select-empty">{t(isLoading ? 'state.loading' : 'select.none')}</span>
        }
        tokenSeparators={isMultiple && isOpen ? [',', '\n'] : undefined}
      />
    </span>
  )
}

function useOptionsOf(choices: SelectProps<unknown>['choices']) {
  return useMemo(
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
}

/** The list, and below it why it is not complete. */
function withFault(error: Error, isEmpty: boolean) {
  return (list: ReactNode) => (
    <>
      {isEmpty ? null : list}
      <SourceFault message={error.message} />
    </>
  )
}

function SourceFault({ message }: { message: string }) {
  const t = useTexts()
  return (
    <span className="select-empty" role="alert">
      {t('select.failed', { message })}
    </span>
  )
}

/** Arco's select consumes Escape even when its list is closed. Passes the key on, so that the drawer around it
 *  closes. */
function passEscape(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Escape') return
  event.stopPropagation()
  const forDrawer = { key: 'Escape', keyCode: 27, bubbles: true }
  event.currentTarget.parentElement?.dispatchEvent(new window.KeyboardEvent('keydown', forDrawer))
}

/** Arco drops the focus when a choice is made. Returns it to the select, unless another element has it. */
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

/** Arco gives the button of every tag the name "Close", in every language. */
function useTagNames(box: RefObject<HTMLElement | null>, nameOf: (tag: string) => string): void {
  useLayoutEffect(() => {
    for (const button of box.current?.querySelectorAll('.arco-tag-close-btn') ?? []) {
      button.setAttribute('aria-label', nameOf(button.parentElement?.textContent.trim() ?? ''))
    }
  })
}

/** Arco's select takes no accessible name and hides its focusable search input from screen readers. Both are
 *  corrected after each render, because Arco rewrites the attributes when the list opens. */
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
      // The tab key stops at the input; a second stop at the box would send Shift+Tab straight back.
      combobox.setAttribute('tabindex', '-1')
    }
  })
  return box
}
