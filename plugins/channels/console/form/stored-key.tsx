import { Button } from '@arco-design/web-react'
import { mayAccess, useAction, useSession, useTextDialog, useTexts } from '#console'
import { channelCalls } from '../channel-calls.ts'

/** Shows the key that is stored to the super admin, who is asked again who he is. */
export function StoredKey({ id }: { id: number | undefined }) {
  const t = useTexts('channels')
  const isRoot = useSession(({ user }) => mayAccess(user, 'root'))
  const [show, dialog] = useTextDialog()
  const [ask, isAsking] = useAction(async () => {
    if (id === undefined) return
    show({ title: () => t('storedKey'), text: await channelCalls.storedKey(id), isCode: true })
  })
  if (id === undefined || !isRoot) return null
  return (
    <p className="stored-key">
      <Button size="small" loading={isAsking} onClick={() => void ask()}>
        {t('showKey')}
      </Button>
      {dialog}
    </p>
  )
}
