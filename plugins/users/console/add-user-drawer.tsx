import { api, EditDrawer, NewPassword, toast, useTexts } from '#console'
import { NameFields } from './name-fields.tsx'

interface NewUser {
  username: string
  display_name: string
  password: string
}

const emptyUser: NewUser = { username: '', display_name: '', password: '' }

export function AddUserDrawer({
  isOpen,
  onClose,
  onSaved,
}: {
  isOpen: boolean
  onClose: () => void
  onSaved: () => Promise<unknown>
}) {
  const t = useTexts('users')
  const save = async (user: NewUser) => {
    await api.post('/api/user/', { ...user, username: user.username.trim() })
    toast.success(t('added'))
    await onSaved()
  }
  return (
    <EditDrawer<NewUser>
      title={t('add')}
      isOpen={isOpen}
      onClose={onClose}
      initial={emptyUser}
      onSave={save}
      saveLabel={t('add')}
    >
      <NameFields />
      <NewPassword label={t('field.password')} />
    </EditDrawer>
  )
}
