import { Button } from '@arco-design/web-react'
import { useEffect, useMemo, useState } from 'react'
import { ApiError, api } from '../../api/client.ts'
import { messageOf, useAction } from '../../api/use-action.ts'
import { useOptions } from '../../api/use-options.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { type FieldSchema, faultOf, fromWire, kindOf, toWire } from './schema.ts'
import { SchemaForm, type SchemaValues } from './schema-form.tsx'
import { ErrorState, Loading } from '../states.tsx'
import { toast } from '../toast.ts'

export interface OptionFormProps {
  /** The JSON schema of the options shown, keys as on the wire. */
  schema: FieldSchema
  /** Plugin id, for the labels. */
  namespace?: string
  onSaved?: () => void
  /** Whether something is typed that is not saved. */
  onChanged?: (hasChanges: boolean) => void
}

/** Options as a form. Only what changed is sent, one call a key; a key that fails keeps what was typed and says why. */
export function OptionForm({ schema, namespace, onSaved, onChanged }: OptionFormProps) {
  const t = useTexts()
  const options = useOptions()
  const [edits, setEdits] = useState<SchemaValues>({})
  const [faults, setFaults] = useState<Record<string, string>>({})
  const stored = useMemo(() => storedValues(schema, options.values), [schema, options.values])
  const changed = Object.keys(edits).filter((key) => toWire(edits[key]) !== toWire(stored[key]))
  const isSound = changed.every((key) => !faultOf(schema.properties?.[key] ?? {}, edits[key]))

  const hasChanges = changed.length > 0
  useEffect(() => onChanged?.(hasChanges), [hasChanges, onChanged])

  const [save, isSaving] = useAction(async () => {
    const failed = await saveEach(schema, changed, edits)
    setFaults(failed)
    setEdits((old) => Object.fromEntries(Object.entries(old).filter(([key]) => key in failed)))
    await options.refresh()
    const failures = Object.keys(failed).length
    if (failures === 0) toast.success(t('options.saved'))
    else toast.error(t(failures < changed.length ? 'options.partly' : 'options.failed'))
    if (failures < changed.length) onSaved?.()
  })

  if (options.error)
    return <ErrorState message={options.error.message} onRetry={() => void options.refresh()} />
  if (!options.values) return <Loading />
  return (
    <form
      className="option-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <SchemaForm
        schema={schema}
        namespace={namespace}
        value={{ ...stored, ...edits }}
        secretsSet={options.secretsSet}
        faults={faults}
        onChange={(next, key) => setEdits((old) => ({ ...old, [key]: next[key] }))}
      />
      <Button
        type="primary"
        htmlType="submit"
        loading={isSaving}
        disabled={!hasChanges || !isSound}
      >
        {t('save')}
      </Button>
    </form>
  )
}

async function saveEach(
  schema: FieldSchema,
  keys: readonly string[],
  edits: SchemaValues,
): Promise<Record<string, string>> {
  const failed: Record<string, string> = {}
  for (const { key, secrets } of changesOf(schema, keys)) {
    const others = Object.fromEntries(secrets.map((secret) => [secret, toWire(edits[secret])]))
    const body = { key, value: toWire(edits[key]), ...(secrets.length > 0 ? { with: others } : {}) }
    try {
      await api.put('/api/option/', body, { isQuiet: true })
    } catch (error) {
      for (const name of [key, ...secrets]) failed[name] = messageOf(error)
      if (error instanceof ApiError && error.field !== undefined)
        failed[error.field] = error.message
    }
  }
  return failed
}

/** One call a key; an address and the secrets that are bound to it go in one. */
function changesOf(schema: FieldSchema, keys: readonly string[]) {
  const boundTo = (secret: string) => schema.properties?.[secret]?.['x-ui']?.boundTo ?? []
  const isSentAlong = (secret: string) => boundTo(secret).some((host) => keys.includes(host))
  return keys
    .filter((key) => !isSentAlong(key))
    .map((key) => ({ key, secrets: keys.filter((secret) => boundTo(secret).includes(key)) }))
}

function storedValues(
  schema: FieldSchema,
  wire: Readonly<Record<string, string>> | undefined,
): SchemaValues {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([, field]) => kindOf(field) !== 'secret')
      .map(([key, field]) => {
        const text = wire?.[key]
        return [key, text === undefined ? field.default : fromWire(field, text)]
      }),
  )
}
