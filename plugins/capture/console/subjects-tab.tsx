import { Button } from '@arco-design/web-react'
import { useMemo } from 'react'
import {
  type Action,
  AddButton,
  api,
  type Column,
  DataTable,
  EditDrawer,
  type Editing,
  Field,
  FormSection,
  NumberInput,
  Select,
  type Texts,
  Time,
  toast,
  useEditing,
  useInitial,
  useList,
  useTexts,
} from '#console'
import type { Subject, SubjectBody } from '../schema.ts'

/** Whose calls are kept. */
export function SubjectsTab() {
  const t = useTexts('capture')
  const editing = useEditing<Subject>()
  const list = useList<Subject>('/api/capture/subjects', { shape: 'whole' })
  const columns = useMemo(() => columnsOf(t), [t])
  return (
    <>
      <DataTable<Subject>
        id="capture-subjects"
        label={t('tab.subjects')}
        list={list}
        columns={columns}
        keyOf={({ kind, id }) => `${kind}-${id}`}
        nameOf={(subject) => nameOf(subject, t)}
        actions={(subject) => [switchOff(subject, t, () => list.refresh())]}
        empty={{
          title: t('subject.empty'),
          hint: t('subject.emptyHint'),
          action: <Button onClick={editing.add}>{t('switchOn')}</Button>,
        }}
        toolbar={<AddButton label={t('switchOn')} onClick={editing.add} />}
      />
      <SubjectDrawer editing={editing} onSaved={() => list.refresh()} />
    </>
  )
}

function nameOf({ kind, id }: SubjectBody, t: Texts): string {
  return t(`subject.${kind}`, { id })
}

function columnsOf(t: Texts): Column<Subject>[] {
  return [
    {
      id: 'subject',
      title: t('subject.column'),
      isTitle: true,
      render: (subject) => nameOf(subject, t),
    },
    {
      id: 'owner',
      title: t('subject.owner'),
      card: 'fact',
      render: ({ username }) => username || <span className="muted">{t('subject.gone')}</span>,
    },
    {
      id: 'since',
      title: t('subject.since'),
      card: 'fact',
      render: ({ created_at }) => <Time seconds={created_at} />,
    },
    { id: 'by', title: t('subject.by'), render: ({ created_by }) => created_by },
  ]
}

function switchOff(subject: Subject, t: Texts, refresh: () => Promise<unknown>): Action {
  const name = nameOf(subject, t)
  return {
    label: t('action.off'),
    confirm: () => ({
      title: t('offTitle', { name }),
      content: t('offText'),
      confirmLabel: t('action.off'),
    }),
    run: async () => {
      await api.delete(`/api/capture/subjects/${subject.kind}/${subject.id}`)
      toast.success(t('offDone', { name }))
      await refresh()
    },
  }
}

interface SubjectForm {
  kind: SubjectBody['kind']
  id: number | undefined
}

function SubjectDrawer({
  editing,
  onSaved,
}: {
  editing: Editing<Subject>
  onSaved: () => Promise<unknown>
}) {
  const t = useTexts('capture')
  const initial = useInitial<Subject, SubjectForm>(editing, () => ({
    kind: 'token',
    id: undefined,
  }))
  return (
    <EditDrawer<SubjectForm>
      title={t('switchOn')}
      isOpen={editing.isOpen}
      onClose={editing.close}
      initial={initial}
      saveLabel={t('switchOn')}
      onSave={async ({ kind, id }) => {
        await api.post('/api/capture/subjects', { kind, id })
        toast.success(t('onDone'))
        await onSaved()
      }}
    >
      <FormSection hint={t('onHint')}>
        <Field name="kind" label={t('field.kind')} isRequired>
          <Select
            choices={(['token', 'user'] as const).map((value) => ({
              value,
              label: t(`kind.${value}`),
            }))}
          />
        </Field>
        <Field name="id" label={t('field.id')} help={t('field.idHelp')} isRequired>
          <NumberInput min={1} precision={0} />
        </Field>
      </FormSection>
    </EditDrawer>
  )
}
