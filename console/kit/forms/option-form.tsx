import { Button } from '@arco-design/web-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { messageOf, useAction } from '../../api/use-action.ts'
import { onOptionsReplaced, type Options, useOptions } from '../../api/use-options.ts'
import { type Texts, useTexts } from '../../texts/use-texts.ts'
import { ErrorState, Loading } from '../states.tsx'
import { toast } from '../toast.ts'
import { saveOptions } from './save-options.ts'
import {
  type FieldSchema,
  faultOf,
  fromWire,
  isSame,
  kindOf,
  needsValue,
  optionWire,
  toWire,
} from './schema.ts'
import { labelOf, SchemaForm, type SchemaFormProps, type SchemaValues } from './schema-form.tsx'

export interface OptionFormProps extends Pick<SchemaFormProps, 'namespace'> {
  /** The JSON schema of the options, with their keys as on the wire. */
  schema: FieldSchema
  /** Called after at least one key was saved. */
  onSaved?: () => void
  /** Called with whether the form has unsaved changes. */
  onChanged?: (hasChanges: boolean) => void
  /** Rendered below the form, with the unsaved wire strings by key. */
  children?: (typed: Readonly<Record<string, string>>) => ReactNode
}

/** A form of options. It sends only changed options, one call for each. An option that fails keeps its text and
 *  shows the reason. */
export function OptionForm(props: OptionFormProps) {
  const { schema, namespace, onChanged } = props
  const t = useTexts()
  const options = useOptions()
  const form = useRef<HTMLFormElement>(null)
  const { edit, hasChanges, typed, save, isSaving, change, reset, faults, saved } =
    useOptionEditing(props, options, form)
  useEffect(() => onChanged?.(hasChanges), [hasChanges, onChanged])
  // What is there stays when it cannot be read again; the page says so above all of its forms.
  if (!options.values)
    return options.error ? (
      <ErrorState message={options.error.message} onRetry={() => void options.refresh()} />
    ) : (
      <Loading />
    )
  return (
    <>
      <form
        ref={form}
        className="option-form"
        noValidate
        onKeyDown={(event) => {
          // While nothing has changed, the button is disabled and Enter submits nothing: say why.
          if (isEnterInField(event) && !hasChanges) toast.warning(t('options.unchanged'))
        }}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <SchemaForm
          schema={schema}
          namespace={namespace}
          value={edit.merged}
          secretsSet={options.secretsSet}
          faults={faults}
          saved={saved}
          onChange={(next, key) => change(key, next[key])}
        />
        <div className="option-form-buttons">
          <Button type="primary" htmlType="submit" loading={isSaving} disabled={!hasChanges}>
            {t('save')}
          </Button>
          {hasChanges ? <Button onClick={reset}>{t('options.reset')}</Button> : null}
        </div>
      </form>
      {props.children?.(typed())}
    </>
  )
}

/** The state of the form: unsaved values, faults, and the result of the last saving. */
function useOptionEditing(
  { schema, namespace, onSaved }: OptionFormProps,
  options: Options,
  form: RefObject<HTMLElement | null>,
) {
  const t = useTexts()
  const edit = useEdits(schema, options)
  const { changed, merged } = edit
  // Said when they are drawn: the language may be switched meanwhile.
  const [faults, setFaults] = useState<Faults>(noFaults)
  const [saved, setSaved] = useState<readonly string[]>([])
  const [save, isSaving] = useAction(async () => {
    const unsound = unsoundOf(schema, changed, merged)
    const unmet = unmetNeeds(schema, changed, { ...options.values, ...wireOf(merged) })
    if (unsound.length > 0 || unmet.size > 0) {
      const label = (key: string) => labelOf(key, namespace)
      setFaults({ in: (words) => sentences(words, unsound, unmet, label) })
      toast.error(t('options.unsound'))
      return focusFault(form.current)
    }
    const failed = await saveOptions(schema, changed, merged, {
      secretsSet: options.secretsSet,
      shown: edit.shown,
    })
    const kept = changed.filter((key) => !(key in failed))
    setFaults({ in: () => messagesOf(failed) })
    setSaved(kept.length < changed.length ? kept : [])
    edit.keepOnly(Object.keys(failed))
    await options.refresh()
    if (kept.length === changed.length) toast.success(t('options.saved'))
    else toast.error(t(kept.length > 0 ? 'options.partly' : 'options.failed'))
    if (kept.length > 0) onSaved?.()
    // The button stands below a card that may be higher than the window.
    if (kept.length < changed.length) focusFault(form.current)
  })
  const change = (key: string, value: unknown) => {
    edit.set(key, value)
    setFaults((old) => (key in old.in(t) ? { in: (words) => without(old.in(words), [key]) } : old))
    setSaved([])
  }
  const reset = () => {
    edit.keepOnly([])
    setFaults(noFaults)
  }
  const shown = { ...storedFaults(t, options, edit.touched), ...faults.in(t) }
  return {
    edit,
    hasChanges: changed.length > 0,
    typed: () => typedWire(schema, changed, merged),
    save,
    isSaving,
    change,
    reset,
    faults: shown,
    saved,
  }
}

interface Faults {
  in(t: Texts): Record<string, string>
}
const noFaults: Faults = { in: () => ({}) }

function messagesOf(failed: Readonly<Record<string, unknown>>): Record<string, string> {
  const faults = Object.entries(failed)
  return Object.fromEntries(faults.map(([key, error]) => [key, messageOf(error)]))
}

/** The stored values with the unsaved ones on top. */
function useEdits(schema: FieldSchema, options: Options) {
  const [edits, setEdits] = useState<SchemaValues>({})
  // Keeps the stored value from when editing began, because options are fetched again in the meantime.
  const [shown, setShown] = useState<Readonly<Record<string, string>>>({})
  const stored = useMemo(() => storedValues(schema, options.values), [schema, options.values])
  const fieldOf = (key: string) => schema.properties?.[key] ?? {}
  // Drops an unsaved value when a reset or restore changes the option: it would hide the new value.
  useEffect(() => onOptionsReplaced((keys) => setEdits((old) => without(old, keys))), [])
  const set = (key: string, value: unknown) => {
    const wire = options.values?.[key]
    if (!(key in edits))
      setShown((old) => (wire === undefined ? without(old, [key]) : { ...old, [key]: wire }))
    setEdits((old) => ({ ...old, [key]: value }))
  }
  const isRemoved = (key: string) => edits[key] === '' && options.secretsSet.includes(key)
  return {
    shown,
    changed: Object.keys(edits).filter(
      (key) => isRemoved(key) || !isSame(fieldOf(key), edits[key], stored[key]),
    ),
    merged: { ...stored, ...edits },
    touched: Object.keys(edits),
    set,
    keepOnly: (keys: readonly string[]) =>
      setEdits((old) =>
        Object.fromEntries(Object.entries(old).filter(([key]) => keys.includes(key))),
      ),
  }
}

function storedValues(schema: FieldSchema, wire: Options['values']): SchemaValues {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([, field]) => kindOf(field) !== 'secret')
      .map(([key, field]) => [key, fromWire(field, wire?.[key] ?? toWire(field.default))]),
  )
}

/** Options with a value that the server would refuse. */
function unsoundOf(schema: FieldSchema, keys: readonly string[], values: SchemaValues): string[] {
  return keys.filter((key) => {
    const field = schema.properties?.[key] ?? {}
    const isMissing = needsValue(field) && toWire(values[key]).trim() === ''
    return isMissing || faultOf(field, values[key]) !== undefined
  })
}

/** Options that must not be saved before others have a value, with the names of those. */
function unmetNeeds(
  schema: FieldSchema,
  keys: readonly string[],
  wire: Readonly<Record<string, string>>,
): Map<string, string> {
  const unmet = new Map<string, string>()
  for (const key of keys) {
    const need = schema.properties?.[key]?.['x-ui']?.needs?.find((other) => !wire[other]?.trim())
    if (need !== undefined) unmet.set(key, need)
  }
  return unmet
}

function sentences(
  t: Texts,
  unsound: readonly string[],
  unmet: ReadonlyMap<string, string>,
  labelOf: (key: string) => string,
): Record<string, string> {
  return Object.fromEntries([
    ...[...unmet].map(([key, need]) => [key, t('options.needs', { need: labelOf(need) })] as const),
    ...unsound.map((key) => [key, t('schema.unsound')] as const),
  ])
}

/** A stored value that is no longer valid shows its fault until something else is typed. */
function storedFaults(
  t: Texts,
  { faults }: Options,
  touched: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(faults)
      .filter(([key]) => !touched.includes(key))
      .map(([key, reason]) => [key, t('options.storedFault', { reason })]),
  )
}

function without<T>(record: Record<string, T>, keys: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
}

function wireOf(values: SchemaValues): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, toWire(value)]))
}

function typedWire(schema: FieldSchema, keys: readonly string[], values: SchemaValues) {
  return Object.fromEntries(
    keys.map((key) => [key, optionWire(schema.properties?.[key] ?? {}, values[key])]),
  )
}

function isEnterInField({ key, target }: KeyboardEvent): boolean {
  return key === 'Enter' && target instanceof HTMLInputElement && target.type !== 'checkbox'
}

function focusFault(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector('.schema-faulty')
    field?.scrollIntoView({ block: 'center' })
    field?.querySelector<HTMLElement>('input, textarea, button')?.focus()
  })
}
