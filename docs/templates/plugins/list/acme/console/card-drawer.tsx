import { Input } from '@arco-design/web-react'
import {
  api,
  EditDrawer,
  type Editing,
  Field,
  NumberInput,
  Select,
  useInitial,
  useTexts,
} from 'tollgate/console'
import { type Card, type CardForm, colours } from './card.ts'

interface CardDrawerProps {
  editing: Editing<Card>
  onSaved(): Promise<void>
}

export function CardDrawer({ editing, onSaved }: CardDrawerProps) {
  const t = useTexts('acme')
  const { record } = editing
  const initial = useInitial<Card, CardForm>(editing, (card) => ({
    name: card?.name ?? '',
    colour: card?.colour ?? 'blue',
    stars: card?.stars ?? 3,
  }))
  const save = async (form: CardForm) => {
    if (record) await api.put(`/api/acme/${record.id}`, form)
    else await api.post('/api/acme', form)
    await onSaved()
  }
  return (
    <EditDrawer<CardForm>
      title={record ? t('editTitle') : t('add')}
      isOpen={editing.isOpen}
      onClose={editing.close}
      initial={initial}
      onSave={save}
    >
      <Field name="name" label={t('name')} isRequired>
        <Input maxLength={80} />
      </Field>
      <Field name="colour" label={t('colour')} isRequired>
        <Select choices={colours.map((value) => ({ value, label: t(value) }))} />
      </Field>
      <Field name="stars" label={t('stars')} help={t('starsHelp')} isRequired>
        <NumberInput min={1} max={5} precision={0} />
      </Field>
    </EditDrawer>
  )
}
