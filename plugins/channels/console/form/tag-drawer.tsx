import { Input } from '@arco-design/web-react'
import { useMemo } from 'react'
import {
  EditDrawer,
  Field,
  FormSection,
  JsonField,
  jsonRule,
  MultiSelect,
  NumberInput,
  toast,
  useGroupNames,
  useTexts,
  splitList,
} from '#console'
import { channelCalls, type TagEdit } from '../channel-calls.ts'
import { ModelField } from './model-field.tsx'
import { lowestPriority } from './routing-fields.tsx'
import type { TagRow } from '../tag-rows.ts'

interface TagForm {
  new_tag: string
  models: string[]
  groups: string[]
  model_mapping: string
  priority: number | undefined
  weight: number | undefined
}

/** Edits all channels of a tag at once; what is left empty stays as it is in each of them. */
export function TagDrawer({
  row,
  onClose,
  onSaved,
}: {
  row: TagRow | undefined
  onClose: () => void
  onSaved: () => Promise<unknown>
}) {
  const t = useTexts('channels')
  const initial = useMemo(() => row && formOf(row), [row])
  const save = async (form: TagForm) => {
    if (!row || !initial) return false
    const edit = editOf(row.tag, form, initial)
    if (Object.keys(edit).length === 1) {
      toast.warning(t('tagDrawer.noChanges'))
      return false
    }
    await channelCalls.editTag(edit)
    toast.success(t('tagDrawer.saved', { count: row.channels.length }))
    await onSaved()
    return true
  }
  return (
    <EditDrawer<TagForm>
      title={t('tagDrawer.title', { tag: row?.tag })}
      isOpen={row !== undefined}
      onClose={onClose}
      initial={initial}
      onSave={save}
      size="wide"
    >
      <TagFields count={row?.channels.length ?? 0} />
    </EditDrawer>
  )
}

function TagFields({ count }: { count: number }) {
  const t = useTexts('channels')
  const groups = useGroupNames()
  return (
    <FormSection hint={t('tagDrawer.hint', { count })}>
      <Field name="new_tag" label={t('field.tag')} help={t('tagDrawer.tagHelp')}>
        <Input allowClear maxLength={255} />
      </Field>
      <Field name="models" label={t('field.models')} help={t('tagDrawer.modelsHelp')}>
        <ModelField />
      </Field>
      <Field name="groups" label={t('field.groups')} help={t('tagDrawer.groupsHelp')}>
        <MultiSelect choices={groups.data ?? []} source={groups} isOpen isClearable />
      </Field>
      <Field
        name="model_mapping"
        label={t('field.modelMapping')}
        help={t('tagDrawer.mappingHelp')}
        rules={[jsonRule(t('fault.json'), 'object')]}
      >
        <JsonField isMap rows={3} example={{ 'gpt-4o': 'gpt-4o-2024-11-20' }} />
      </Field>
      <div className="channel-pair">
        <Field name="priority" label={t('field.priority')} help={t('tagDrawer.numberHelp')}>
          <NumberInput min={lowestPriority} precision={0} hasButtons />
        </Field>
        <Field name="weight" label={t('field.weight')} help={t('tagDrawer.numberHelp')}>
          <NumberInput min={0} precision={0} hasButtons />
        </Field>
      </div>
    </FormSection>
  )
}

/** Starts with what all channels of the tag have in common. */
function formOf({ tag, channels, priority, weight }: TagRow): TagForm {
  const common = (read: (index: number) => string) => {
    const first = read(0)
    return channels.every((_, index) => read(index) === first) ? first : ''
  }
  return {
    new_tag: tag,
    models: splitList(common((index) => channels[index]?.models ?? '')),
    groups: splitList(common((index) => channels[index]?.group ?? '')),
    model_mapping: common((index) => channels[index]?.model_mapping ?? ''),
    priority,
    weight,
  }
}

/** Only what was changed. */
function editOf(tag: string, form: TagForm, initial: TagForm): TagEdit {
  const newTag = (form.new_tag ?? '').trim()
  const models = (form.models ?? []).join(',')
  const groups = (form.groups ?? []).join(',')
  const mapping = form.model_mapping ?? ''
  return {
    tag,
    ...(newTag === tag ? {} : { new_tag: newTag }),
    ...(models && models !== initial.models.join(',') ? { models } : {}),
    ...(groups && groups !== initial.groups.join(',') ? { groups } : {}),
    ...(mapping && mapping !== initial.model_mapping ? { model_mapping: mapping } : {}),
    ...numberEdit('priority', form, initial),
    ...numberEdit('weight', form, initial),
  }
}

/** A number that was emptied changes nothing, as one that was left empty. */
function numberEdit(
  name: 'priority' | 'weight',
  form: TagForm,
  initial: TagForm,
): Partial<TagEdit> {
  const value = form[name]
  return value === undefined || value === initial[name] ? {} : { [name]: value }
}
