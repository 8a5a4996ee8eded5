import { useState } from 'react'
import {
  api,
  ApiError,
  Details,
  EditDrawer,
  Field,
  FormSection,
  NewPassword,
  Select,
  toast,
  useGroupNames,
  useOpenedRecord,
  useTexts,
} from '#console'
import { BalanceFields, type BalanceForm, balanceOf, balanceToAdd } from './balance-fields.tsx'
import type { User } from '../schema.ts'
import { boundFields } from './user.ts'
import { NameFields } from './name-fields.tsx'

type Names = Pick<User, 'username' | 'display_name' | 'group'>
type Base = Names & Pick<User, 'quota' | 'used_quota'>
type UserForm = Names & Pick<User, 'id'> & BalanceForm & { password: string }

export function EditUserDrawer({
  userId,
  onClose,
  onSaved,
}: {
  userId: number | undefined
  onClose: () => void
  onSaved: () => Promise<unknown>
}) {
  const t = useTexts('users')
  const path = userId === undefined ? undefined : `/api/user/${userId}`
  const { record: user, form, error, retry } = useOpenedRecord(path, formOf)
  const [known, save] = useSave(user, onSaved)
  return (
    <EditDrawer<UserForm>
      hasAddress
      title={t('edit', { name: user?.username ?? `#${userId}` })}
      isOpen={userId !== undefined}
      onClose={onClose}
      initial={form}
      error={error}
      onRetry={retry}
      onSave={save}
      slot={{ id: 'user', record: user }}
    >
      <AccountFields />
      <GroupFields balance={known?.quota ?? 0} />
      {user ? (
        <FormSection title={t('section.bound')} hint={t('help.bound')}>
          <Details
            items={[
              { label: t('column.email'), value: user.email || '–' },
              ...boundFields.map((field) => ({
                label: t(`bound.${field}`),
                value: user[field] || '–',
              })),
            ]}
          />
        </FormSection>
      ) : null}
    </EditDrawer>
  )
}

/** Saves what was changed of the opened user. A try after a refusal begins from what is known by then. */
function useSave(user: User | undefined, onSaved: () => Promise<unknown>) {
  const t = useTexts('users')
  const [learned, setLearned] = useState<Base & { of: User }>()
  const before: Base | undefined = learned && learned.of === user ? learned : user
  const save = async (edited: UserForm) => {
    if (!user || !before) return
    const { id, password } = edited
    const learn = (news: Partial<Base>) => setLearned({ ...before, ...news, of: user })
    const changes = changesTo(edited, before)
    await api
      .put('/api/user/', {
        id,
        ...changes,
        shown: shownOf(changes, before),
        ...(password ? { password } : {}),
      })
      .catch((error: unknown) => {
        learn(balanceIn(error))
        throw error
      })
    learn(changes)
    // Sent last, because repeating the call would add the amount again.
    const value = balanceToAdd(edited)
    if (value !== 0) await api.post('/api/user/manage', { id, action: 'change_quota', value })
    toast.success(t('saved'))
    await onSaved()
  }
  return [before, save] as const
}

/** Only the fields that differ from the opened record: the user may have spent or changed the name meanwhile, and
 *  another admin the group. */
function changesTo(edited: UserForm, before: Base): Partial<Base> {
  const { display_name, group, quota } = edited
  const typed: Partial<Base> = { username: edited.username.trim(), display_name, group }
  if (edited.balance_mode === 'set') typed.quota = quota
  const fields = Object.entries(typed) as [keyof Base, string | number][]
  return Object.fromEntries(fields.filter(([name, value]) => value !== before[name]))
}

/** The same fields as they were known: the edit is refused if another admin has changed one of them meanwhile. */
function shownOf(changes: Partial<Base>, before: Base): Partial<Base> {
  const fields = Object.keys(changes) as (keyof Base)[]
  const shown = Object.fromEntries(fields.map((name) => [name, before[name]]))
  return changes.quota === undefined ? shown : { ...shown, used_quota: before.used_quota }
}

/** A refusal says what the balance is now, for the admin and for the next try. */
function balanceIn(error: unknown): Partial<Base> {
  if (!(error instanceof ApiError) || error.code !== 'quota.changed') return {}
  const { quota, used_quota } = error.values
  return { quota: Number(quota), used_quota: Number(used_quota) }
}

function formOf({ id, username, display_name, group, quota }: User): UserForm {
  return { id, username, display_name, group, password: '', ...balanceOf(quota) }
}

function AccountFields() {
  const t = useTexts('users')
  return (
    <FormSection title={t('section.account')}>
      <NameFields />
      <NewPassword
        label={t('field.newPassword')}
        help={t('help.keepPassword')}
        isRequired={false}
      />
    </FormSection>
  )
}

function GroupFields({ balance }: { balance: number }) {
  const t = useTexts('users')
  const groups = useGroupNames()
  return (
    <FormSection title={t('section.balance')}>
      <Field name="group" label={t('field.group')} help={t('help.group')} isRequired>
        <Select choices={groups.data ?? []} source={groups} isSearchable />
      </Field>
      <BalanceFields balance={balance} />
    </FormSection>
  )
}
